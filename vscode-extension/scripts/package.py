"""Make the extension's packages: ddl-lint-TARGET-VERSION.vsix.

Usage: package.py                for this machine
       package.py TARGET ...     for these targets of `vsce package`, or `universal`: without a server
       package.py all            for all of them
"""

from __future__ import annotations

import json
import subprocess
import sys

from bundle import EXTENSION, TARGETS, UNIVERSAL, bundle, own_target
from readme import leave_pictures_out


def main(targets: list[str]) -> None:
    """Build once, then bundle and package for each target."""
    _run("node", "scripts/build.mjs")
    manifest = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    for target in targets:
        bundle(target)
        package = f"ddl-lint-{target}-{manifest['version']}.vsix"
        is_published = "repository" in manifest
        options = ["--no-dependencies"]
        options += [] if is_published else ["--no-rewrite-relative-links", "--allow-missing-repository"]
        options += [] if target == UNIVERSAL else [f"--target={target}"]
        _run("node", "node_modules/@vscode/vsce/vsce", "package", f"--out={package}", *options)
        if not is_published:
            leave_pictures_out(EXTENSION / package)
        print(f"{package}: {(EXTENSION / package).stat().st_size / 1e6:.1f} MB")


def _run(*command: str) -> None:
    if subprocess.run(command, cwd=EXTENSION, check=False).returncode != 0:
        sys.exit(f"package.py: this failed: {' '.join(command)}")


if __name__ == "__main__":
    wanted = sys.argv[1:] or [own_target()]
    if wanted == ["all"]:
        wanted = [*TARGETS, UNIVERSAL]
    if unknown := [target for target in wanted if target not in (*TARGETS, UNIVERSAL)]:
        sys.exit(f"package.py: {', '.join(unknown)} is none of {', '.join((*TARGETS, UNIVERSAL))}")
    main(wanted)
