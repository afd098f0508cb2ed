"""Put the server and all that it needs into bundled/libs, for one platform and all supported versions of Python.

Usage: bundle.py [TARGET]        a target of `vsce package`, or `universal`; default: this machine's platform

`libs/common` gets what is pure Python, `libs/cp310` and its like the compiled packages. Wheels of other platforms are
downloaded as well as one's own, so any machine can make all packages. Only Python and pip are needed.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

EXTENSION = Path(__file__).resolve().parent.parent
LIBRARIES = EXTENSION / "bundled" / "libs"
REQUIREMENTS = EXTENSION / "bundled" / "requirements"
PYTHONS = ("310", "311", "312", "313", "314")

# The tags of wheels that run on each target, oldest system first.
TARGETS = {
    "linux-x64": ("manylinux2014_x86_64", "manylinux_2_17_x86_64", "manylinux_2_28_x86_64"),
    "linux-arm64": ("manylinux2014_aarch64", "manylinux_2_17_aarch64", "manylinux_2_28_aarch64"),
    "alpine-x64": ("musllinux_1_1_x86_64", "musllinux_1_2_x86_64"),
    "alpine-arm64": ("musllinux_1_1_aarch64", "musllinux_1_2_aarch64"),
    "darwin-arm64": ("macosx_11_0_arm64",),
    "win32-x64": ("win_amd64",),
    "win32-arm64": ("win_arm64",),
}

# PyYAML publishes no wheels for Windows on ARM before Python 3.12.
MISSING = {"win32-arm64": ("310", "311")}

# For all other platforms, such as Macs with Intel processors, for which libcst publishes no wheels: brings no server,
# and runs the one of the environment.
UNIVERSAL = "universal"


def own_target() -> str:
    """The target of this machine."""
    system = {"Linux": "linux", "Darwin": "darwin", "Windows": "win32"}.get(platform.system())
    processor = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}.get(platform.machine().lower())
    if system == "linux" and platform.libc_ver()[0] != "glibc":
        system = "alpine"
    target = f"{system}-{processor}"
    if target not in TARGETS:
        sys.exit(f"bundle.py: no packages are published for {platform.system()} on {platform.machine()}")
    return target


def bundle(target: str, wheel: Path | None = None) -> None:
    """Make bundled/libs anew, with the server of a wheel or of the checkout; for the universal package it is empty."""
    shutil.rmtree(LIBRARIES, ignore_errors=True)
    LIBRARIES.mkdir()
    if target == UNIVERSAL:
        return
    common = LIBRARIES / "common"
    _install(common, "pure", ["--platform=any", "--implementation=py", f"--python-version={PYTHONS[0]}"])
    _install_server(common, wheel)
    for python in PYTHONS:
        if python not in MISSING.get(target, ()):
            tags = [f"--platform={tag}" for tag in TARGETS[target]]
            abi = ["--implementation=cp", f"--python-version={python}", f"--abi=cp{python}"]
            _install(LIBRARIES / f"cp{python}", "compiled", [*tags, *abi])
    _remove_what_is_not_run()


def _install(folder: Path, requirements: str, wanted: list[str]) -> None:
    _pip(
        *("install", f"--target={folder}", "--no-deps", "--no-compile", "--only-binary=:all:", "--require-hashes"),
        *(f"--requirement={REQUIREMENTS / requirements}.txt", *wanted),
    )


def _install_server(folder: Path, wheel: Path | None) -> None:
    with tempfile.TemporaryDirectory() as wheels:
        if wheel is None:
            _pip("wheel", "--no-deps", f"--wheel-dir={wheels}", str(EXTENSION.parent))
            (wheel,) = Path(wheels).glob("ddl_lint-*.whl")
        _pip("install", f"--target={folder}", "--no-deps", "--no-compile", str(wheel))


def _remove_what_is_not_run() -> None:
    """Commands, and the tests of the packages."""
    for folder in [*LIBRARIES.glob("*/bin"), *LIBRARIES.glob("*/Scripts"), *LIBRARIES.glob("*/*/**/tests")]:
        # The built-in rules are programs that rule pages show; none of them is called so.
        shutil.rmtree(folder, ignore_errors=True)


def _pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    command += [] if arguments[0] == "wheel" else ["--root-user-action=ignore"]
    if subprocess.run(command, check=False).returncode != 0:
        sys.exit(f"bundle.py: this failed: {' '.join(command)}")


if __name__ == "__main__":
    chosen = sys.argv[1] if len(sys.argv) > 1 else own_target()
    if chosen not in (*TARGETS, UNIVERSAL):
        sys.exit(f"bundle.py: {chosen} is none of {', '.join((*TARGETS, UNIVERSAL))}")
    bundle(chosen)
    print(f"bundled for {chosen}: {', '.join(sorted(path.name for path in LIBRARIES.iterdir()))}")
