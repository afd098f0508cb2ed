"""A fault of ours costs its file, run or rule, is told as DDL002, and all other findings come."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ddl_lint import lowering
from ddl_lint.analysis.interpreter.interpreter import Interpreter
from ddl_lint.analysis.interpreter.language import statements
from ddl_lint.analysis.ranks import found_divergences
from ddl_lint.check import fixing
from ddl_lint.check.configuration import Configuration
from ddl_lint.check.request import Request
from ddl_lint.check.session import Session
from ddl_lint.output import json, text
from ddl_lint.program import code
from ddl_lint.project import contents
from ddl_lint.registry.rules import Rule, load_rules
from ddl_lint_rules.communication_setup.missing_init_process_group import check as init_check

FAULTY = "import torch.distributed as dist\n\nprint(dist.get_rank())\n"
LIBRARY = """\
import torch.distributed as dist


class Odd:
    def sync(self):
        odd = 1
        dist.barrier()


class Trainer:
    def sync(self):
        if dist.get_rank() == 0:
            dist.barrier()
"""
GOOD = ("ok.py", "DDL201")


class Panic(BaseException):
    """What native code raises is no `Exception`."""


ERRORS = [KeyError("x"), RecursionError("too deep"), MemoryError(), Panic("in native code")]


@pytest.fixture(params=ERRORS, ids=lambda error: type(error).__name__)
def error(request):
    return request.param


def failing(monkeypatch, owner, name, error, on):
    """Make a function fail where `on` says so of its arguments."""
    really = getattr(owner, name)

    def fail(*args, **kwargs):
        if on(*args):
            raise type(error)(*error.args)
        return really(*args, **kwargs)

    monkeypatch.setattr(owner, name, fail)


def odd_assignments(monkeypatch, error):
    """Fail in following `odd = ...`."""
    really = statements._STATEMENTS[code.Assign]

    def follow(m, frame, node):
        if isinstance(node.targets[0], code.Name) and node.targets[0].id == "odd":
            m.bind(frame, "seen", m.evaluate(frame, node.value))
            raise type(error)(*error.args)
        return really(m, frame, node)

    monkeypatch.setitem(statements._STATEMENTS, code.Assign, follow)


def test_two_classes_of_one_name(project, check):
    barrier = "        dist.barrier()\n"
    text = "import torch.distributed as dist\nclass Net:\n    def first(self):\n" + barrier
    guarded = text.replace("        dist", "        if dist.get_rank() == 0:\n            dist")
    again = "class Net:\n    def second(self):\n" + barrier
    project({"first.py": guarded + again, "rebound.py": guarded + "Net = wrap = Net\n", "ok.py": FAULTY})
    result = check()
    assert result.found == [("first.py", "DDL502"), GOOD, ("rebound.py", "DDL502")]


def test_a_name_that_stands_for_another_class(project, check):
    text = "class Net:\n    def first(self):\n        if dist.get_rank() == 0:\n            dist.barrier()\n"
    project(
        {"a.py": f"import torch.distributed as dist\n{text}\nclass Other:\n    pass\n\nNet = Other\n", "ok.py": FAULTY}
    )
    assert check().found == [("a.py", "DDL502"), GOOD]


def test_a_method_below_a_condition_is_traced(project, run):
    text = "class Net:\n    if True:\n        def first(self):\n            dist.barrier()\n"
    project({"a.py": f"import torch.distributed as dist\n{text}"})
    result = run("trace", "a.py::Net.first")
    assert result.code == 0 and "barrier" in result.out


def test_lowering(project, check, monkeypatch, error):
    failing(monkeypatch, lowering, "lower", error, lambda document, *_: document.path.endswith("odd.py"))
    project({"odd.py": FAULTY, "ok.py": FAULTY})
    result = check()
    assert (result.code, result.found) == (1, [("odd.py", "DDL002"), GOOD])
    why = "it needs more memory than" if isinstance(error, MemoryError) else type(error).__name__
    assert result.diagnostics[0]["message"].startswith(f"lowering failed on this file: {why}")


def test_reading(project, check, monkeypatch, error):
    failing(monkeypatch, contents, "document_from_bytes", error, lambda path, data: path.endswith("odd.py"))
    project({"odd.py": FAULTY, "ok.py": FAULTY})
    assert check().found == [("odd.py", "DDL002"), GOOD]


def test_suppression_comments(project, check, monkeypatch, error):
    failing(monkeypatch, contents, "find_suppressions", error, lambda document: document.path.endswith("odd.py"))
    project({"odd.py": FAULTY, "ok.py": FAULTY})
    assert sorted(check().found) == [("odd.py", "DDL002"), ("odd.py", "DDL201"), GOOD]


def test_following_a_script(project, check, monkeypatch, error):
    odd_assignments(monkeypatch, error)
    project({"odd.py": FAULTY + "\nif True:\n    odd = 1\n", "ok.py": FAULTY})
    result = check()
    assert (result.code, result.found) == (1, [("odd.py", "DDL002"), GOOD])
    assert result.diagnostics[0]["range"]["start"]["line"] == 6


def test_following_a_class_that_nothing_reaches(project, check, monkeypatch, error):
    odd_assignments(monkeypatch, error)
    project({"lib.py": LIBRARY, "ok.py": FAULTY})
    result = check()
    assert result.found == [("lib.py", "DDL002"), ("lib.py", "DDL502"), GOOD]
    assert [item["range"]["start"]["line"] for item in result.diagnostics] == [6, 13, 3]


def test_following_a_module_that_is_imported(project, check, monkeypatch, error):
    odd_assignments(monkeypatch, error)
    project({"lib.py": "import torch\n" + "odd = 1\n", "ok.py": "import lib\n" + FAULTY})
    assert check().found == [("lib.py", "DDL002"), GOOD]
    result = check("ok.py")  # a fault in a file that is not checked is told where somebody sees it
    assert result.found == [("ok.py", "DDL002"), GOOD]
    assert result.diagnostics[0]["related"][0]["file"] == "lib.py"


def test_what_a_failed_run_has_entered_is_followed_by_itself(project, check, monkeypatch):
    odd_assignments(monkeypatch, KeyError("x"))
    helper = "import torch.distributed as dist\n\n\ndef sync():\n    if dist.get_rank() == 0:\n        dist.barrier()\n"
    project(
        {"a.py": f"{helper}\n\ndef first():\n    sync()\n    odd = 1\n    dist.barrier()\n\nif True:\n    first()\n"}
    )
    assert sorted(code for _, code in check().found) == ["DDL002", "DDL502"]


def test_the_next_run_starts_from_the_same_state(monkeypatch, tmp_path, project, check):
    begun: list[tuple[object, ...]] = []
    really = Interpreter.execute

    def execute(m, frame, body):
        if frame.function is None and not m.run_state.stack:
            state = (
                m.run_state.passing,
                m.state.mark(),
                list(m._loading),
                dict(m.run_state.facts),
                dict(m.globals.get("ok", {})),
            )
            begun.append((frame.path.rpartition("/")[2], *state))
        return really(m, frame, body)

    monkeypatch.setattr(Interpreter, "execute", execute)
    project({"a_odd.py": FAULTY + "odd = 1\n", "ok.py": FAULTY})
    assert ("a_odd.py", "DDL201") in check("--no-cache").found
    sound = [each for each in begun if each[0] == "ok.py"]
    begun.clear()
    odd_assignments(monkeypatch, KeyError("x"))
    assert ("a_odd.py", "DDL002") in check("--no-cache").found
    assert [each for each in begun if each[0] == "ok.py"] == sound != []


def test_a_question_about_ranks(project, check, monkeypatch, error):
    """A rule that cannot replay one run still judges the others."""
    failing(monkeypatch, found_divergences, "timeline", error, lambda run, *_: run.run.path.endswith("odd.py"))
    guarded = (
        "import torch.distributed as dist\n\ndist.init_process_group('gloo')\n"
        "if dist.get_rank() == 0:\n    dist.barrier()\ndist.destroy_process_group()\n"
    )
    project({"also.py": guarded, "odd.py": guarded, "ok.py": FAULTY})
    found = check().found
    assert {("also.py", "DDL502"), ("odd.py", "DDL002"), GOOD} <= set(found)
    assert ("odd.py", "DDL502") not in found


def test_a_rule(project, check, monkeypatch, error):
    """It fails at the first file; those after it are judged all the same."""
    module = next(rule.module for rule in load_rules() if rule.name == "missing-init-process-group")
    really = Rule.check.fget

    def odd(run):
        if run.run.path.endswith("a_odd.py"):
            raise type(error)(*error.args)
        yield from really(next(rule for rule in load_rules() if rule.module == module))(run)

    monkeypatch.setattr(Rule, "check", property(lambda rule: odd if rule.module == module else really(rule)))
    project({"a_odd.py": FAULTY, "ok.py": FAULTY})
    assert check().found == [("a_odd.py", "DDL002"), GOOD]


def test_a_fix(project, check, monkeypatch, error):
    failing(monkeypatch, init_check, "fix", error, lambda *_: True)
    project({"ok.py": FAULTY})
    result = check()
    assert sorted(result.found) == [("ok.py", "DDL002"), GOOD]
    assert "building the fix of `missing-init-process-group` failed" in result.out


def test_making_the_fixes(project, check, monkeypatch):
    failing(monkeypatch, fixing, "mend", KeyError("x"), lambda *_: True)
    folder = project({"ok.py": FAULTY})
    result = check("--fix", "--unsafe-fixes")
    assert (result.code, result.found) == (2, [GOOD])
    assert "making the fixes failed, and no file was changed: KeyError: 'x'" in result.err
    assert (folder / "ok.py").read_text() == FAULTY


def test_output_of_one_finding(project, check, monkeypatch):
    odd = lambda finding, *_: finding.location.path.endswith("odd.py") and finding.code != "DDL002"  # noqa: E731
    failing(monkeypatch, json, "_diagnostic", KeyError("x"), odd)
    project({"odd.py": FAULTY, "ok.py": FAULTY})
    result = check()
    assert result.found == [("odd.py", "DDL002"), GOOD]
    assert result.diagnostics[0]["message"] == "showing what DDL201 has found failed on this file: KeyError: 'x'"


def test_output_of_anything(project, run, monkeypatch):
    failing(monkeypatch, text, "finished", KeyError("x"), lambda *_: True)
    project({"ok.py": FAULTY})
    result = run("check")
    assert (result.code, result.out) == (2, "")
    assert "the findings cannot be shown in the format `text`: KeyError: 'x'" in result.err
    assert "ok.py: DDL201" in result.err


def test_a_session_recovers(project, monkeypatch, error):
    folder = project({"lib.py": LIBRARY, "odd.py": FAULTY + "odd = 1\n", "ok.py": "import lib\n" + FAULTY})
    rules, files = load_rules(), sorted(folder.glob("*.py"))
    session = Session(rules)

    def codes() -> list[tuple[str, str]]:
        found = session.check(Request(files, Configuration(fixed=contents_settings())))
        return sorted((Path(each.location.path).name, each.code) for each in found.findings)

    sound = codes()
    with monkeypatch.context() as broken:
        odd_assignments(broken, error)
        (folder / "odd.py").write_text(FAULTY + "odd = 2\n")
        (folder / "lib.py").write_text(LIBRARY + "\nodd = 1\n")
        faulty = codes()
        assert {("odd.py", "DDL002"), ("lib.py", "DDL002"), GOOD} <= set(faulty)
        assert codes() == faulty
    assert codes() == sound
    with monkeypatch.context() as broken:
        failing(broken, lowering, "lower", error, lambda document, *_: document.path.endswith("odd.py"))
        (folder / "odd.py").write_text(FAULTY + "odd = 3\n")
        assert ("odd.py", "DDL002") in codes() and GOOD in codes()
    assert codes() == sound


def contents_settings():
    from ddl_lint.project.config import Settings

    return Settings()


def test_nothing_of_it_is_stored(project, check, monkeypatch, cache):
    shutil.rmtree(cache / "reports", ignore_errors=True)
    project({"odd.py": FAULTY + "odd = 1\n", "ok.py": FAULTY})
    with monkeypatch.context() as broken:
        odd_assignments(broken, KeyError("x"))
        assert check().found == [("odd.py", "DDL002"), GOOD]
    assert check().found == [("odd.py", "DDL201"), GOOD]
