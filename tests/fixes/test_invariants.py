"""What must hold of every fix of every rule, in disturbed forms of its program: `test_rooms` holds it in the programs
that rules are tried on.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from invariants import added_keywords, broken

from cases import program_at
from ddl_lint.check.engine import check_project
from ddl_lint.diagnostic import Diagnostic
from ddl_lint.finding import Applicability
from ddl_lint.fixes.apply import edited
from ddl_lint.project.config import Settings
from ddl_lint.registry.rules import Rule, load_rules

_SETTINGS = Settings(pedantic=True, preview=True)

Texts = dict[str, str]
"""The files of a program, by name."""


@cache
def _rules() -> Sequence[Rule]:
    return load_rules()


_FIXABLE = [rule for rule in load_rules() if rule.folder is not None and rule.info.fixable]


def _found(texts: Texts, folder: Path) -> tuple[Texts, list[Diagnostic]]:
    """The files of a program, which is written into a folder, by path, and what is found in them."""
    paths: list[Path] = []
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
        paths.append(path)
    report = check_project(paths, lambda _: _SETTINGS, _rules())
    assert not report.problems
    return {(folder / name).as_posix(): text for name, text in texts.items()}, report.findings


def _assert_none_broken(texts: Texts, folder: Path) -> None:
    by_path, findings = _found(texts, folder)
    for finding in findings:
        if finding.fix is not None and finding.fix.edits:
            assert not broken(by_path, finding.fix), (finding.name, finding.fix.title)


def _group_of_some_runs(text: str) -> str:
    """Each call that makes the process group under a condition of its own."""
    return _rewritten(text, "init_process_group", lambda call: f"({call} if input() else None)")


def _own_wrappers(text: str) -> str:
    """Each directory made by a function that takes no more than the path."""
    if "os.makedirs(" not in text:
        return text
    changed = _rewritten(text, "os.makedirs", lambda call: call.replace("os.makedirs", "make_it", 1))
    return f"def make_it(path):\n    pass\n\n\n{changed}"


def _rewritten(text: str, function: str, new: Callable[[str], str]) -> str:
    """A text with other code in the place of each statement that calls a function."""
    lines = text.splitlines(keepends=True)
    for node in sorted(ast.walk(ast.parse(text)), key=lambda each: -getattr(each, "lineno", 0)):
        if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call) or node.end_lineno != node.lineno:
            continue
        if ast.unparse(node.value.func).endswith(function):
            line = lines[node.lineno - 1]
            body = line.encode()[node.col_offset : node.end_col_offset].decode()
            lines[node.lineno - 1] = line.replace(body, new(body))
    return "".join(lines)


@pytest.mark.parametrize("disturbed", [_group_of_some_runs, _own_wrappers], ids=lambda each: each.__name__.strip("_"))
@pytest.mark.parametrize("rule", _FIXABLE, ids=lambda rule: rule.name)
def test_fixes_of_disturbed_programs_hold_them(rule: Rule, disturbed: Callable[[str], str], tmp_path: Path) -> None:
    assert rule.folder is not None
    texts = program_at(rule.folder / "bad").texts()
    changed = {name: disturbed(text) if name.endswith(".py") else text for name, text in texts.items()}
    if changed == texts:
        pytest.skip("there is nothing to disturb")
    _assert_none_broken(changed, tmp_path)


@pytest.mark.parametrize("rule", _FIXABLE, ids=lambda rule: rule.name)
def test_no_safe_fix_gives_a_keyword_that_may_be_given_already(rule: Rule, tmp_path: Path) -> None:
    """Each call to which a fix adds a keyword argument is given `**options`, of which nothing is known."""
    assert rule.folder is not None
    texts = program_at(rule.folder / "bad").texts()
    by_path, findings = _found(texts, tmp_path / "first")
    changed = dict(texts)
    for path, call in _calls_given_more(by_path, findings):
        name = Path(path).relative_to(tmp_path / "first").as_posix()
        changed[name] = _with_options(changed[name], call)
    if changed == texts:
        pytest.skip("no fix adds a keyword argument")
    by_path, findings = _found(changed, tmp_path / "second")
    for finding in findings:
        if finding.fix is not None and finding.fix.applicability is Applicability.SAFE:
            assert not broken(by_path, finding.fix), (finding.name, finding.fix.title)


def _calls_given_more(texts: Texts, findings: Sequence[Diagnostic]) -> Iterator[tuple[str, str]]:
    for finding in findings:
        for path in {edit.location.path for edit in finding.fix.edits} if finding.fix is not None else ():
            if path.endswith(".py") and finding.fix is not None:
                edits = [edit for edit in finding.fix.edits if edit.location.path == path]
                old, new = ast.parse(texts[path]), ast.parse(edited(texts[path], edits))
                for call, _ in added_keywords(old, new):
                    yield path, ast.unparse(call.func)


def _with_options(text: str, function: str) -> str:
    """A text in which the calls of a function are given `**options`."""
    data = text.encode()
    starts = [0]
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    ends = [
        starts[node.end_lineno - 1] + node.end_col_offset - 1
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == function
        if node.end_lineno is not None and node.end_col_offset is not None
        if not any(keyword.arg is None for keyword in node.keywords)
    ]
    for end in sorted(ends, reverse=True):
        before = data[:end].rstrip()
        comma = b"" if before.endswith((b"(", b",")) else b", "
        data = before + comma + b"**options" + data[end:]
    try:
        ast.parse(data)
    except SyntaxError:  # a comment came before
        return text
    return data.decode()
