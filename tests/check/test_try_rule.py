"""A rule is tried on its own programs: what differs is told with its place."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from ddl_lint.check.rule_test import Tried, try_rule
from ddl_lint.commands import main as cli
from ddl_lint.registry.rules import Rule, load_rules

RULES = load_rules()
NAME = "missing-init-process-group"
SILENT = "import torch.distributed as dist\n\nprint(dist.is_initialized())\n"
CASES = """\
# missing-init-process-group

## Flagged

### A question too early

```python
import torch.distributed as dist

print(dist.get_rank())  # error: [missing-init-process-group]
```

## Silent

### Nothing is asked

```python
import torch
```
"""


@pytest.fixture
def rule(tmp_path: Path) -> Rule:
    """The rule in a project of its own, with cases as they are expected."""
    ours = next(rule for rule in RULES if rule.name == NAME)
    assert ours.folder is not None
    folder = tmp_path / "rules" / "acme_rules" / "communication_setup" / ours.folder.name
    shutil.copytree(ours.folder, folder)
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "tests" / "rules").mkdir(parents=True)
    (tmp_path / "tests" / "rules" / f"{folder.name}.md").write_text(CASES)
    return replace(ours, folder=folder)


def differing(rule: Rule) -> dict[str, tuple[str, ...]]:
    tried: list[Tried] = list(try_rule(rule, RULES))
    return {each.name: each.differences for each in tried if each.differences}


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_all_is_as_expected(rule: Rule) -> None:
    names = [each.name for each in try_rule(rule, RULES)]
    assert names[0] == "the code of the rule"
    assert names[1].startswith("bad/") and names[2].startswith("good/")
    assert names[3:] == ["flagged/question_too_early", "silent/nothing_is_asked"]
    assert not differing(rule)


def test_what_is_not_reported_and_what_is_not_marked(rule: Rule, tmp_path: Path) -> None:
    cases = tmp_path / "tests" / "rules" / "missing_init_process_group.md"
    edit(cases, "print(dist.get_rank())  #", "print(dist.is_initialized())  #")
    edit(cases, "import torch\n```", "import torch.distributed as dist\n\nprint(dist.get_rank())\n```")
    found = differing(rule)
    assert found["flagged/question_too_early"] == (
        f"missing_init_process_group.md:10: `{NAME}` nothing is reported here, and the line is marked",
    )
    (unmarked,) = found["silent/nothing_is_asked"]
    assert unmarked.startswith(
        f"missing_init_process_group.md:20: `{NAME}` is reported here, and the line is not marked ("
    )


def test_a_flagged_program_without_a_mark(rule: Rule, tmp_path: Path) -> None:
    edit(tmp_path / "tests" / "rules" / "missing_init_process_group.md", f"  # error: [{NAME}]", "")
    assert f"no line is marked: end one with `# error: [{NAME}]`" in differing(rule)["flagged/question_too_early"]


def test_words_in_the_code_that_do_not_exist(rule: Rule) -> None:
    assert rule.folder is not None
    (rule.folder / "check.py").write_text(
        'def check(run):\n    for event in run.events("colective"):\n        yield event.operands.get("tensr")\n'
        '        yield event.operands["gruop"], run.events("save", "forward")\n'
    )
    assert differing(rule)["the code of the rule"] == (
        "check.py:2: unknown event `colective` (did you mean `collective`?)",
        "check.py:3: unknown role `tensr` (did you mean `tensor`?)",
        "check.py:4: unknown role `gruop` (did you mean `group`?)",
    )


def test_kinds_and_roles_that_do_not_exist(rule: Rule) -> None:
    assert rule.folder is not None
    (rule.folder / "check.py").write_text(
        "from ddl_lint.rulekit.events import Colective, Collective, Save\n\n\n"
        "def check(run):\n    for event in run.events(Collective):\n"
        "        yield event.tensr, event.location, event.group\n"
        "    yield from [event.pth for event in run.events(Save, Collective) if event.tensor]\n"
    )
    assert differing(rule)["the code of the rule"][:3] == (
        "check.py:1: unknown event `Colective` (did you mean `Collective`?)",
        "check.py:6: unknown role `tensr` (did you mean `tensor`?)",
        "check.py:7: unknown role `pth` (did you mean `path`?)",
    )


def test_code_that_cannot_be_read(rule: Rule) -> None:
    assert rule.folder is not None
    (rule.folder / "check.py").write_text("def check(run:\n")
    (told,) = differing(rule)["the code of the rule"]
    assert told.startswith("check.py:1: ")


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["test", NAME]) == 0
    assert capsys.readouterr().out.endswith("programs, all as expected\n")
    assert cli.main(["test", "missing-init"]) == 2
    assert "unknown rule `missing-init` (did you mean `" in capsys.readouterr().err


def test_our_rules_ask_for_what_there_is() -> None:
    from ddl_lint.check.rule_words import unknown_words

    assert not [each for rule in RULES if rule.folder is not None for each in unknown_words(rule.folder)]
