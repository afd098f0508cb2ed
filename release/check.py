"""Builds a release and tries it: `python release/check.py [--output dist] [--python python3.10 ...]`.

Makes the sdist and the wheel, has twine and check-wheel-contents look at them, builds the wheel once more from the
sdist and from an archive of the repository, and installs it into a clean environment of each Python, where it checks
`examples/` and finds what the checkout finds. The last environment is written down as an SBOM. Then pre-commit and the
action install themselves.

It needs a network, and the optional dependencies `release` and `dev`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
PYTHONS = tuple(f"python3.{minor}" for minor in range(10, 15))
LARGEST = 55_000_000  # bytes of an installation, with compiled files
FOUND = 1  # the exit code of a check that has found something


def main() -> None:
    """Do all of it, or stop with what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / "dist")
    parser.add_argument("--python", action="append", help="by default the oldest and the newest that are on the path")
    options = parser.parse_args()
    pythons = options.python or _oldest_and_newest()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel, sdist = build(options.output)
        same_from(_unpacked(sdist, folder / "sdist"), wheel, folder / "again")
        from_archive(folder / "archive")
        expected = findings(Path(sys.executable))
        for python in pythons:
            environment = folder / Path(python).name
            program = install(python, wheel, environment)
            version = _output(program, "-m", "ddl_lint", "--version").split()[1]
            if f"-{version}-" not in wheel.name:
                sys.exit(f"{wheel.name} says that it is {version}")
            found = findings(program)
            if found != expected:
                sys.exit(f"{python}: examples/ are found to have {found}, by the checkout {expected}")
            say(f"{python}: {len(found)} findings in examples/, as by the checkout")
            sbom(program, options.output)
        hook(folder / "hook")
        action(folder / "action")
    say(f"{wheel.name} and {sdist.name} can be released")


def build(output: Path) -> tuple[Path, Path]:
    """The wheel and the sdist, looked at by the tools that know what an index takes."""
    shutil.rmtree(output, ignore_errors=True)
    _run(sys.executable, "-m", "build", "--outdir", output, ROOT)
    (wheel,), (sdist,) = output.glob("*.whl"), output.glob("*.tar.gz")
    _run(sys.executable, "-m", "twine", "check", "--strict", wheel, sdist)
    _run(BIN / "check-wheel-contents", "--config", ROOT / "pyproject.toml", wheel)
    return wheel, sdist


def same_from(source: Path, wheel: Path, folder: Path) -> None:
    """The sdist holds all that the wheel is made of."""
    _run(sys.executable, "-m", "build", "--wheel", "--outdir", folder, source)
    (again,) = folder.glob("*.whl")
    if differing := sorted({*_contents(wheel).items()} ^ {*_contents(again).items()}):
        sys.exit(f"the wheel from the sdist is another one: {', '.join(name for name, _ in differing)}")
    say("the wheel from the sdist is the same")


def from_archive(folder: Path) -> None:
    """What a host of repositories hands out as an archive, without tags and history, can be built as well."""
    folder.mkdir()
    archive = folder / "source.tar"
    _run("git", "-C", ROOT, "archive", "--prefix=source/", f"--output={archive}", "HEAD")
    with tarfile.open(archive) as content:
        content.extractall(folder, filter="data")
    _run(sys.executable, "-m", "build", "--wheel", "--outdir", folder, folder / "source")
    (wheel,) = folder.glob("*.whl")
    say(f"an archive of the repository makes {wheel.name}")


def install(python: str, wheel: Path, environment: Path) -> Path:
    """The Python of a new environment that holds the wheel and what it needs."""
    _run(python, "-m", "venv", environment)
    program = next(
        path for path in (environment / "bin" / "python", environment / "Scripts" / "python.exe") if path.exists()
    )
    _run(program, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
    _run(program, "-m", "pip", "--disable-pip-version-check", "check")
    if (size := installed_size(environment)) > LARGEST:
        sys.exit(f"the installation takes {size / 1e6:.0f} MB; docs/dependencies.md promises less")
    return program


def installed_size(environment: Path) -> int:
    """The bytes of an environment, without what a new one has: pip and setuptools."""
    tools = {"pip", "setuptools", "pkg_resources", "_distutils_hack"}
    return sum(
        file.stat().st_size
        for folder in environment.rglob("site-packages")
        for package in folder.iterdir()
        if package.name.partition("-")[0] not in tools
        for file in (package, *package.rglob("*"))
        if file.is_file()
    )


def findings(python: Path) -> list[str]:
    """What it finds in the examples; from another folder, so that the checkout is not on the path."""
    with tempfile.TemporaryDirectory() as name:
        examples = shutil.copytree(ROOT / "examples", Path(name) / "examples")
        command = [str(python), "-m", "ddl_lint", "check", "--no-cache", "--output-format", "json", "."]
        result = subprocess.run(command, cwd=examples, capture_output=True, text=True, encoding="utf-8")
    if result.returncode != FOUND:
        sys.exit(f"{python}: the check of examples/ ended with {result.returncode}: {result.stderr}")
    return [
        f"{each['file']}:{each['range']['start']['line']}: {each['code']}"
        for each in json.loads(result.stdout)["diagnostics"]
    ]


def sbom(python: Path, output: Path) -> None:
    """What is installed with it, as CycloneDX, without what changes from run to run."""
    _run(
        *(BIN / "cyclonedx-py", "environment", "--pyproject", ROOT / "pyproject.toml", "--output-reproducible"),
        *("--output-format", "JSON", "--output-file", output / "sbom.cdx.json", python),
    )


def hook(folder: Path) -> None:
    """pre-commit installs the hook from the repository into an environment of its own, and it finds something."""
    repository = folder / "repository"
    shutil.copytree(ROOT / "examples" / "hang", repository)
    git = ("git", "-C", repository)
    _run(*git, "init", "--quiet")
    _run(*git, "add", ".")
    result = subprocess.run(
        [sys.executable, "-m", "pre_commit", "try-repo", str(ROOT), "ddl-lint", "--all-files"],
        cwd=repository,
        env={**os.environ, "PRE_COMMIT_HOME": str(folder / "home")},
        capture_output=True,
        text=True,
    )
    if "early-exit-before-collective" not in result.stdout:
        sys.exit(f"the hook found nothing: {result.stdout}{result.stderr}")
    say("pre-commit installs the hook, and it finds the hang")


def action(folder: Path) -> None:
    """The step of the action that installs ddl-lint."""
    (folder / "temporary").mkdir(parents=True)
    steps = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
    (step,) = (each for each in steps if each.get("id") == "install")
    said = folder / "output"
    environment = {
        "RUNNER_TEMP": str(folder / "temporary"),
        "GITHUB_OUTPUT": str(said),
        "GITHUB_ACTION_PATH": str(ROOT),
    }
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"  # where `python` is that of this environment
    _run(
        "bash", "-e", "-o", "pipefail", "-c", step["run"], environment={**environment, "REQUIREMENT": "", "PATH": path}
    )
    outputs = dict(line.split("=", 1) for line in said.read_text().splitlines())
    if _output(outputs["program"], "--version").split()[1] != outputs["version"]:
        sys.exit(f"the action installs something else than it says: {outputs}")
    say(f"the action installs ddl-lint {outputs['version']}")


def say(text: str) -> None:
    """Tell what is done."""
    print(text, flush=True)


def _oldest_and_newest() -> Sequence[str]:
    found = [name for name in PYTHONS if shutil.which(name) and _runs(name)] or [sys.executable]
    return list(dict.fromkeys((found[0], found[-1])))


def _runs(python: str) -> bool:
    """Whether a command is a Python, and not one that only says which there are."""
    return subprocess.run([python, "--version"], capture_output=True).returncode == 0


def _unpacked(sdist: Path, folder: Path) -> Path:
    with tarfile.open(sdist) as content:
        content.extractall(folder, filter="data")
    (source,) = folder.iterdir()
    return source


def _contents(wheel: Path) -> Mapping[str, str]:
    with zipfile.ZipFile(wheel) as content:
        return {name: hashlib.sha256(content.read(name)).hexdigest() for name in content.namelist()}


def _output(*command: str | Path) -> str:
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def _run(*command: str | Path, environment: Mapping[str, str] | None = None) -> None:
    words = [str(word) for word in command]
    result = subprocess.run(
        words, env={**os.environ, **(environment or {})}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if result.returncode:
        sys.exit(f"this failed: {' '.join(words)}\n{result.stdout}")


if __name__ == "__main__":
    main()
