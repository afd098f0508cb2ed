"""Puts a release together: `python release/assemble.py [--output dist] [--site build/site]`.

The folder holds the sdist and the wheels, with the SBOM and the extension. Beside them come the site as an archive, the
entries and recipes for catalogues and package managers, a statement of where all that was built, and all hashes.
Nothing is published. What needs an address that `[project.urls]` does not name is left out, and said.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import platform
import subprocess
import sys
import tarfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

from ddl_lint.pages.installation import Addresses, addresses
from ddl_lint.project.config import CONFIG_FILES, PYPROJECT
from ddl_lint.source import read_text
from ddl_lint.source.toml_text import read_toml

ROOT = Path(__file__).resolve().parents[1]
RECIPES = Path(__file__).with_name("recipes")
SCHEMA = "ddl-lint.schema.json"
SITE = "site.tgz"  # a second `.tar.gz` would be taken for an sdist
STATEMENT, SUMS = "provenance.intoto.json", "SHA256SUMS"
README = "README.md"
_CONDA_NAMES = {"tree-sitter": "py-tree-sitter"}
"""What conda-forge calls packages that have another name there."""


@dataclass(frozen=True)
class Release:
    """What is released, and from where."""

    folder: Path
    version: str
    commit: str
    published: Addresses

    @property
    def sdist(self) -> Path:
        """The source distribution."""
        (file,) = self.folder.glob("*.tar.gz")
        return file

    def address(self, file: Path) -> str:
        """Where a file of the release is once it is published."""
        return f"{self.published.repository}/releases/download/v{self.version}/{file.name}"


def main() -> None:
    """Put all of it together, or stop with what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / "dist")
    parser.add_argument("--site", type=Path, default=ROOT / "build" / "site")
    options = parser.parse_args()
    if changed := _git("status", "--porcelain", "--untracked-files=no"):
        sys.exit(f"a release is made of a commit; these files have changed since:\n{changed}")
    (wheel,) = options.output.glob("*-py3-none-any.whl")
    release = Release(options.output, wheel.name.split("-")[1], _git("rev-parse", "HEAD"), addresses(ROOT))
    for line in assemble(release, options.site):
        print(line)


def assemble(release: Release, site: Path) -> Sequence[str]:
    """Add what is missing to the folder of a release. Returns what there is to say about it."""
    said: list[str] = []
    recipes = {**entries(release), **recipes_of(release)}
    for name, text in recipes.items():
        file = release.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
    if not release.published.repository:
        said.append("no address of the repository: recipes and the mirror for pre-commit are left out")
    if not release.published.documentation:
        said.append("no address of the documentation: the entry for SchemaStore is left out")
    archive(site, release.folder / SITE)
    (release.folder / README).write_text(readme(release), encoding="utf-8", newline="\n")
    files = sorted(file for file in release.folder.rglob("*") if file.is_file() and file.name not in (STATEMENT, SUMS))
    hashes = {file.relative_to(release.folder).as_posix(): _sha256(file) for file in files}
    (release.folder / STATEMENT).write_text(json.dumps(statement(release, hashes), indent=2) + "\n", encoding="utf-8")
    hashes[STATEMENT] = _sha256(release.folder / STATEMENT)
    sums = "".join(f"{value}  {name}\n" for name, value in sorted(hashes.items()))
    (release.folder / SUMS).write_text(sums, encoding="utf-8", newline="\n")
    return [*said, f"{release.folder}: {len(hashes)} files of ddl-lint {release.version}, commit {release.commit[:12]}"]


def readme(release: Release) -> str:
    """What each file is and where it goes, for whoever publishes or installs it; a line for each that is there."""
    there = [line for pattern, line in _CONTENT if next(release.folder.glob(pattern), None) is not None]
    head = (
        f"# ddl-lint {release.version}, commit {release.commit[:12]}\n\nCheck the files with `sha256sum -c {SUMS}`.\n\n"
    )
    return head + "".join(f"- {line}\n" for line in there)


_CONTENT = (
    ("*-py3-none-any.whl", "`*.whl`, `*.tar.gz`: the package for PyPI; `pip install ./ddl_lint-*-py3-none-any.whl`"),
    ("*-cp*.whl", "`*-cp*.whl`: the package with a compiled core, for one platform"),
    ("*.vsix", "`*.vsix`: the VS Code extension; `code --install-extension ddl-lint-*.vsix`"),
    (SITE, f"`{SITE}`: the documentation with the playground, for any web server"),
    ("sbom.cdx.json", "`sbom.cdx.json`: what an installation contains, as CycloneDX"),
    ("pre-commit-mirror", "`pre-commit-mirror/`: the content of a repository for pre-commit"),
    ("homebrew", "`homebrew/`, `conda-forge/`: recipes for package managers"),
    ("schemastore", "`schemastore/`: an entry for the catalogue of SchemaStore"),
    (SITE, f"`{STATEMENT}`: how these files were built, unsigned"),
)
"""What a release may contain, and what is to be said of it."""


def entries(release: Release) -> Mapping[str, str]:
    """The entry for the catalogue of SchemaStore, and the repository that pre-commit can install the wheel from."""
    found: dict[str, str] = {}
    if release.published.documentation:
        entry = {
            "name": "ddl-lint.toml",
            "description": "Configuration of ddl-lint, a linter for distributed training code",
            "fileMatch": [name for name in CONFIG_FILES if name != PYPROJECT],
            "url": f"{release.published.documentation}/{SCHEMA}",
        }
        found["schemastore/catalog-entry.json"] = json.dumps(entry, indent=2) + "\n"
    if release.published.repository:
        hooks = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
        found["pre-commit-mirror/.pre-commit-hooks.yaml"] = hooks
        found["pre-commit-mirror/pyproject.toml"] = _MIRROR.format(version=release.version)
        found["pre-commit-mirror/README.md"] = _MIRROR_PAGE.format(repository=release.published.repository)
    return found


_MIRROR = """\
[build-system]
requires = ["hatchling>=1.27"]
build-backend = "hatchling.build"

[project]
name = "ddl-lint-pre-commit"
version = "{version}"
requires-python = ">=3.10"
dependencies = ["ddl-lint=={version}"]

[tool.hatch.build.targets.wheel]
bypass-selection = true
"""
_MIRROR_PAGE = """\
# ddl-lint for pre-commit

A mirror of the hooks of [ddl-lint]({repository}) that installs the published wheel and does not clone its history.
"""


def recipes_of(release: Release) -> Mapping[str, str]:
    """The recipes of package managers, with the hash of this sdist."""
    if not release.published.repository:
        return {}
    project: Mapping[str, Any] = read_toml(read_text((ROOT / "pyproject.toml").as_posix()))["project"]
    needed = [Requirement(text) for text in project["dependencies"]]
    # A package for all versions of Python has no selectors: what only old ones need is there for all.
    run = [f"    - {_CONDA_NAMES.get(each.name, each.name)} {each.specifier}" for each in needed]
    values = {
        "version": release.version,
        "url": release.address(release.sdist),
        "sha256": _sha256(release.sdist),
        "homepage": release.published.documentation or release.published.repository,
        "python": project["requires-python"].removeprefix(">="),
        "run": "\n".join(run),
    }
    return {
        f"{folder}/{name}": _filled((RECIPES / name).read_text(encoding="utf-8"), values)
        for folder, name in (("homebrew", "ddl-lint.rb"), ("conda-forge", "meta.yaml"))
    }


def _filled(text: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    return text


def statement(release: Release, hashes: Mapping[str, str]) -> Mapping[str, Any]:
    """Where the files were built, as an unsigned statement of in-toto with the provenance of SLSA."""
    source = release.published.repository or "file:."
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": name, "digest": {"sha256": value}} for name, value in sorted(hashes.items())],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": f"{source}#make-release",
                "externalParameters": {"target": "release", "version": release.version},
                "resolvedDependencies": [{"uri": f"git+{source}", "digest": {"gitCommit": release.commit}}],
            },
            "runDetails": {"builder": {"id": f"make release on {platform.system()} {platform.machine()}"}},
        },
    }


def archive(folder: Path, file: Path) -> None:
    """A folder as an archive that depends on nothing but its files."""
    with (
        file.open("wb") as stream,
        gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w") as content,
    ):
        for each in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = tarfile.TarInfo(f"site/{each.relative_to(folder).as_posix()}")
            data = each.read_bytes()
            entry.size, entry.mode = len(data), 0o644
            content.addfile(entry, io.BytesIO(data))


def _sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    main()
