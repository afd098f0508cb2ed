"""Make the extension's packages: ddl-lint-TARGET-VERSION.vsix.

Usage: package.py                for this machine
       package.py TARGET ...     for these targets of `vsce package`, or `universal`: without a server
       package.py all            for all of them

`--wheel FILE` takes the server from this wheel, and its version, in place of the checkout around this.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

from bundle import EXTENSION, TARGETS, UNIVERSAL, bundle, own_target
from readme import leave_pictures_out


def main(targets: list[str], wheel: Path | None = None) -> None:
    """Build once, then bundle and package for each target."""
    version = (
        json.loads((EXTENSION / "package.json").read_text("utf-8"))["version"] if wheel is None else release(wheel)
    )
    _run("node", "scripts/build.mjs")
    is_published = "repository" in json.loads((EXTENSION / "package.json").read_text("utf-8"))
    for target in targets:
        bundle(target, wheel)
        package = f"ddl-lint-{target}-{version}.vsix"
        options = ["--no-dependencies", "--no-update-package-json", "--no-git-tag-version"]
        # Relative links of the README stay relative: where the project is published is not written into its files.
        options += [] if is_published else ["--no-rewrite-relative-links", "--allow-missing-repository"]
        options += [] if target == UNIVERSAL else [f"--target={target}"]
        _run("node", "node_modules/@vscode/vsce/vsce", "package", version, f"--out={package}", *options)
        if not is_published:
            leave_pictures_out(EXTENSION / package)
        print(f"{package}: {(EXTENSION / package).stat().st_size / 1e6:.1f} MB")


def release(wheel: Path) -> str:
    """The version of a wheel, which must be one that extensions can have: three numbers."""
    found = re.match(r"ddl_lint-(\d+\.\d+\.\d+)-", wheel.name)
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
