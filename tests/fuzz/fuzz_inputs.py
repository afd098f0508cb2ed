"""What may go wrong with an input, and the seeds of those that are made."""

from __future__ import annotations

from pathlib import Path

import ddl_lint_rules
from ddl_lint.check.engine import check_project
from ddl_lint.check.request import MakeFixes, Request
from ddl_lint.check.service import answer
from ddl_lint.check.session import Session
from ddl_lint.finding import Applicability
from ddl_lint.output import render
from ddl_lint.project import config, project_context
from ddl_lint.project.config import Settings, resolve
from ddl_lint.project.discover import discover
from ddl_lint.registry.rules import load_rules
from mutated_python import Mutator

RULES = load_rules()
RULE_FOLDERS = Path(ddl_lint_rules.__file__).parent
EXAMPLES = Path(__file__).parents[2] / "examples"
SETTINGS = Settings(max_steps=2_000, preview=True, pedantic=True)
FORMATS = ("text", "concise", "json", "github")


def texts(*patterns: str) -> list[str]:
    """The contents of the cases of the rules, and of the examples."""
    files = sorted(
        file for pattern in patterns for folder in (RULE_FOLDERS, EXAMPLES) for file in folder.rglob(pattern)
    )
    return [
        file.read_text(encoding="utf-8")
        for file in files
        if file.parent != RULE_FOLDERS and "/models/" not in str(file)
    ]


SCRIPTS = Mutator([text for text in texts("*.py") if "def check(" not in text and "rulekit" not in text])
CONFIGURATION = """\
select = ["hang", "DDL201"]
ignore = ["horovod"]
extend-select = ["ALL"]
exclude = ["build/**", "*.ipynb"]
fail-on = "error"
preview = true
pedantic = false
max-steps = 1000
max-seconds = 5.5
unsafe-fixes = true
unfixable = ["DDL305"]
models = ["models.yaml"]

[target]
python = "3.10"
torch = "2.1"

[per-file-ignores]
"tests/**" = ["DDL"]

[severity]
DDL201 = "warning"
"""
MODELS = """\
format: 1
framework: own
functions:
  own.sync:
    event: collective
    parameters: [tensor, group]
    roles: {tensor: tensor}
"""
LAUNCHES = {
    "run.sh": texts("*.sh", "*.sbatch"),
    "job.yaml": texts("*.yaml", "*.yml"),
    "ds_config.json": texts("*.json"),
    "requirements.txt": texts("*.txt"),
    "Dockerfile": texts("Dockerfile"),
    "Makefile": [
        "train:\n\ttorchrun --nproc_per_node=2 train.py\n\nX := 2\nrun: train\n\t@srun -n $(X) python train.py\n"
    ],
    "pyproject.toml": [
        '[project]\nname = "x"\ndependencies = ["torch==2.1"]\n\n[project.scripts]\ntrain = "train:main"\n'
    ],
    "setup.cfg": [
        "[options]\ninstall_requires =\n    torch==2.1\n[options.entry_points]\nconsole_scripts =\n    a = train:main\n"
    ],
    "environment.yml": ["dependencies:\n  - pytorch=2.1\n  - pip:\n      - horovod==0.28\n"],
}
TRAIN = (
    "import torch.distributed as dist\ndef main():\n    dist.init_process_group('nccl')\n    dist.barrier()\n\nmain()\n"
)


def forget() -> None:
    config.forget()
    project_context.forget()


def faults_of_script(folder: Path, text: str) -> str:
    """What went wrong with a script; empty if nothing did."""
    path = (folder / "train.py").as_posix()
    try:
        report = check_project([Path(path)], lambda _: SETTINGS, RULES, overlay={path: text})
        told = [finding.message for finding in report.findings if finding.code == "DDL002"]
        for finding in report.findings:
            assert 0 <= finding.location.start <= finding.location.end <= len(report.documents[path].text)
        for kind in FORMATS:
            render(report.findings, report.documents, kind)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "; ".join(told)


def faults_of_fixes(folder: Path, text: str) -> str:
    """What went wrong with the fixes of a script. In one that is broken, a fix may be taken back."""
    path = folder / "train.py"
    (folder / "ddl-lint.toml").write_text("preview = true\npedantic = true\nmax-steps = 2000\n")
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    forget()
    task = MakeFixes(Applicability.UNSAFE)
    try:
        given = answer(Session(RULES), Request([path], task=task, overlay={path.as_posix(): text}))
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    told = [problem.message for problem in given.problems if "please report" in problem.message]
    is_broken = any(finding.code == "DDL001" for finding in given.report.findings)
    return "; ".join(message for message in told if not (is_broken and "was undone" in message))


def faults_of_file(folder: Path, name: str, text: str) -> str:
    """What went wrong with a file beside a script."""
    (folder / "train.py").write_text(TRAIN)
    (folder / name).write_bytes(text.encode("utf-8", "surrogatepass"))
    forget()
    try:
        found = discover([folder], resolve)
        report = check_project(found.files, resolve, RULES)
        for kind in FORMATS:
            render(report.findings, report.documents, kind)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    finally:
        (folder / name).unlink()
    return "; ".join(finding.message for finding in report.findings if finding.code == "DDL002")
