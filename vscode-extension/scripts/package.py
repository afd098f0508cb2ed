"""Make the extension's packages: ddl-lint-TARGET-VERSION.vsix.

Usage: package.py                for this machine
       package.py TARGET ...     for these targets of `vsce package`, or `universal`: without a server
       package.py all            for all of them

`--wheel FILE` takes the server from this wheel, and its version, in place of the checkout around this.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from bundle import EXTENSION, TARGETS, UNIVERSAL, bundle, own_target
from readme import leave_pictures_out


def main(targets: list[str], wheel: Path | None = None) -> None:
    """Build once, then bundle and package for each target."""
    version = (
        json.loads((EXTENSION / "package.json").read_text("utf-8"))["version"] if wheel is None else release(wheel)
    )
    _run("node", "scripts/build.mjs")
    with published_manifest(EXTENSION / "package.json", EXTENSION.parent / "pyproject.toml") as is_published:
        for target in targets:
            bundle(target, wheel)
            package = f"ddl-lint-{target}-{version}.vsix"
            options = ["--no-dependencies", "--no-update-package-json", "--no-git-tag-version"]
            # Without an address, relative links of the README stay relative.
            options += [] if is_published else ["--no-rewrite-relative-links", "--allow-missing-repository"]
            # vsce looks for secrets in each file, which takes minutes for thousands of files of published wheels. What
            # is our own is in the universal package, too, where it looks.
            options += [] if target == UNIVERSAL else [f"--target={target}", "--allow-package-all-secrets"]
            _run("node", "node_modules/@vscode/vsce/vsce", "package", version, f"--out={package}", *options)
            if not is_published:
                leave_pictures_out(EXTENSION / package)
            print(f"{package}: {(EXTENSION / package).stat().st_size / 1e6:.1f} MB")


@contextlib.contextmanager
def published_manifest(manifest: Path, project: Path) -> Iterator[bool]:
    """Have the manifest name the addresses of `[project.urls]`, the one place that has them, while a package is made.
    Tells whether there is one of the repository.
    """
    urls = re.search(r"^\[project\.urls\]\n((?:(?!\[).*\n?)*)", project.read_text("utf-8"), re.MULTILINE)
    known = dict(re.findall(r'^(\w+) *= *"(https://[^"]+)"', urls[1] if urls else "", re.MULTILINE))
    repository = known.get("Repository", "").rstrip("/")
    if not repository:
        yield False
        return
    before = manifest.read_bytes()
    added = {
        "repository": {"type": "git", "url": f"{repository}.git", "directory": "vscode-extension"},
        "bugs": {"url": f"{repository}/issues"},
        "homepage": known.get("Documentation", repository).rstrip("/"),
    }
    try:
        manifest.write_text(json.dumps({**json.loads(before), **added}, indent=2) + "\n", "utf-8")
        yield True
    finally:
        manifest.write_bytes(before)


def release(wheel: Path) -> str:
    """The version of a wheel as extensions can have it: three numbers, between tags those of the next release."""
    found = re.match(r"ddl_lint-(\d+\.\d+\.\d+)(?:\.dev\d+)?-", wheel.name)
    if found is None:
        sys.exit(f"package.py: {wheel.name} is no release such as ddl_lint-1.2.3-py3-none-any.whl")
    return found[1]


def _run(*command: str) -> None:
    if subprocess.run(command, cwd=EXTENSION, check=False).returncode != 0:
        sys.exit(f"package.py: this failed: {' '.join(command)}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    parser.add_argument("--wheel", type=Path)
    options = parser.parse_args()
    wanted = options.targets or [own_target()]
    if wanted == ["all"]:
        wanted = [*TARGETS, UNIVERSAL]
    if unknown := [target for target in wanted if target not in (*TARGETS, UNIVERSAL)]:
        sys.exit(f"package.py: {', '.join(unknown)} is none of {', '.join((*TARGETS, UNIVERSAL))}")
    main(wanted, options.wheel)
