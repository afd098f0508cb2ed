"""`check FILES` finds what a check of the whole project finds in them, or for a reason that lies in them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import yaml

from cases import cases_in, program_at
from ddl_lint.project import config

_EVALUATE = """\
import torch.distributed as dist


def evaluate(model, loader, skips):
    if skips:
        return None
    loss = sum(model(batch) for batch in loader)
    dist.all_reduce(loss)
    return loss
"""
_TRAIN = """\
import torch.distributed as dist
from evaluate import evaluate


def main():
    dist.init_process_group("nccl")
    evaluate(make_model(), make_loader(), dist.get_rank() != 0)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
"""
_MEETS = "import torch.distributed as dist\n\n\ndef meet():\n    dist.barrier()\n"
_USES_IT = """\
import torch.distributed as dist
from {module} import meet


def main():
    dist.init_process_group("nccl")
    if dist.get_rank() != 0:
        return
    meet()


if __name__ == "__main__":
    main()
"""
ROOT = Path(__file__).parents[2]
_FOLDERS = {
    f"{folder.parent.parent.name}-{folder.parent.name}-{folder.name}": program_at(folder).texts()
    for pattern in ("rules/ddl_lint_rules/*/*/bad", "tests/rules/*/flagged/*", "tests/ranks/traps/*")
    for folder in sorted(ROOT.glob(pattern))
    if folder.is_dir() and len(list(folder.rglob("*.py"))) > 1
}
_SCRIPTS = {
    f"ranks-frameworks-{path.stem}": {name: text for case in cases_in(path) for name, text in case.texts().items()}
    for path in sorted(ROOT.glob("tests/ranks/frameworks/*.md"))
}
_CORPORA = {**_FOLDERS, **_SCRIPTS}


_BETWEEN_PROGRAMS = {"DDL305", "DDL435", "DDL111", "DDL230"}
"""One script writes the very file that another one reads; and what a trainer calls in a module that a script gives it
is followed for that module only. One cause in a whole project is reported once, in the first file that is checked.
"""


def _told(items):
    return [
        (item["file"], item["code"], item["range"], item["message"])
        for item in items
        if item["code"] not in _BETWEEN_PROGRAMS
    ]


def _concerns(item, file):
    return file in (item["file"], *(related["file"] for related in item["related"]))


def _same_as_whole(folder, check):
    whole = check("--pedantic", "--preview").diagnostics
    for file in sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.py")):
        found = check("--pedantic", "--preview", file).diagnostics
        assert _told(found) == _told(item for item in whole if _concerns(item, file)), file


def test_the_corpora_have_programs_of_several_files():
    assert len(_CORPORA) > 20


@pytest.mark.slow
@pytest.mark.parametrize("texts", _CORPORA.values(), ids=_CORPORA)
def test_one_file_has_the_findings_that_it_has_in_its_project(project, check, texts):
    folder = project({})
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / ".git").mkdir()
    _same_as_whole(folder, check)


def test_a_caller_shows_the_fault_of_a_module(project, check):
    project(
        {".git/HEAD": "", "train.py": _TRAIN, "evaluate.py": _EVALUATE, "other.py": "import torch\n\nprint(torch)\n"}
    )
    whole = check()
    assert [file for file, _ in whole.found] == ["evaluate.py"]
    assert check("evaluate.py").diagnostics == whole.diagnostics
    assert check("other.py").found == []


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("pkg/common.py", "pkg.common"),
        ("pkg/common/__init__.py", "pkg.common"),
        ("src/pkg/common.py", "pkg.common"),
        ("scripts/common.py", "common"),
        ("scripts/common.py", ".common"),
    ],
)
def test_a_finding_elsewhere_for_a_reason_in_the_file(project, check, module, line):
    project({".git/HEAD": "", module: _MEETS, "scripts/train.py": _USES_IT.format(module=line)})
    whole = check()
    assert {file for file, _ in whole.found} == {"scripts/train.py"}
    about = [item for item in whole.diagnostics if _concerns(item, module)]
    assert check(module).diagnostics == about
    assert check("scripts/train.py").diagnostics == whole.diagnostics


def test_callers_of_callers_and_packages(project, check):
    project(
        {
            ".git/HEAD": "",
            "lib/__init__.py": "from .inner import evaluate\n",
            "lib/inner.py": _EVALUATE,
            "tools/run.py": "from plain import go\n\nif __name__ == '__main__':\n    go()\n",
            "plain.py": "import lib\nimport torch.distributed as dist\n\n\ndef go():\n"
            "    dist.init_process_group('nccl')\n    lib.evaluate(1, [2], dist.get_rank() != 0)\n",
        }
    )
    whole = check()
    assert ("lib/inner.py", "DDL506") in whole.found
    for file in ("lib/inner.py", "lib/__init__.py", "tools/run.py", "plain.py"):
        assert check(file).diagnostics == [item for item in whole.diagnostics if _concerns(item, file)]


def test_a_notebook_calls_too(project, check, notebook):
    cells = (
        "import torch.distributed as dist\nfrom evaluate import (\n    evaluate,\n)",
        _TRAIN.split("\n\n\n")[1],
        "main()",
    )
    project({".git/HEAD": "", "evaluate.py": _EVALUATE, "book.ipynb": notebook(*cells)})
    whole = check()
    assert [file for file, _ in whole.found] == ["evaluate.py"]
    assert check("evaluate.py").diagnostics == whole.diagnostics


@pytest.mark.parametrize("how", [{"ddl-lint.toml": "extend-exclude = ['train.py']\n"}, {".gitignore": "train.py\n"}])
def test_who_is_excluded_is_no_caller(project, check, how):
    project({".git/HEAD": "", "train.py": _TRAIN, "evaluate.py": _EVALUATE, **how})
    assert check().found == check("evaluate.py").found == []


def test_the_settings_and_comments_of_the_file_that_it_is_in_count(project, check):
    train = _USES_IT.format(module="common")
    project({".git/HEAD": "", "common.py": _MEETS, "train.py": train})
    (finding,) = [item for item in check("common.py").diagnostics if item["file"] == "train.py"]
    line = finding["range"]["start"]["line"] - 1
    lines = train.splitlines()
    lines[line] += f"  # ddl-lint: ignore[{finding['code']}]"
    lines[0] += "  # ddl-lint: ignore[DDL301]"
    project({"train.py": "\n".join(lines) + "\n"})
    assert check("common.py").found == [], "that a comment hides nothing is said where its file is asked for"
    assert ("train.py", "DDL004") in check("train.py").found
    project({"train.py": train, "ddl-lint.toml": f"[per-file-ignores]\n'train.py' = ['{finding['code']}']\n"})
    config.forget()
    assert check("common.py").found == []
    project({"ddl-lint.toml": f"[severity]\n{finding['code']} = 'info'\n"})
    config.forget()
    assert [item["severity"] for item in check("common.py").diagnostics] == ["info"]


def test_fixes_change_the_given_files_only(project, run):
    folder = project({".git/HEAD": "", "train.py": _TRAIN, "evaluate.py": _EVALUATE})
    before = (folder / "train.py").read_text()
    run("check", "--fix", "--unsafe-fixes", "evaluate.py")
    assert (folder / "train.py").read_text() == before


def test_the_hook_reports_what_a_commit_of_one_file_brings_about(project, run):
    folder = project({"train.py": _TRAIN, "evaluate.py": _EVALUATE.replace("if skips", "if False and skips")})
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-C", str(folder)]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "Evaluate"], check=True)
    (hook,) = [
        each for each in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text()) if each["id"] == "ddl-lint"
    ]
    program, *arguments = hook["entry"].split()
    assert program == "ddl-lint"
    assert run(*arguments, "evaluate.py").code == 0
    project({"evaluate.py": _EVALUATE})
    subprocess.run([*git, "add", "."], check=True)
    staged = subprocess.run([*git, "diff", "--cached", "--name-only"], check=True, capture_output=True, text=True)
    result = run(*arguments, *staged.stdout.split())
    assert result.code == 1
    assert "early-exit-before-collective" in result.out
    assert "1 file" in result.out
