"""The step of a build that compiles the core. It is off unless HATCH_BUILD_HOOK_ENABLE_CUSTOM is set: an installation
from a checkout or from the sdist needs no compiler."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledCore(BuildHookInterface):
    """Puts the compiled modules of the core beside their sources; Python prefers them when it imports."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and make it a wheel for this platform and Python; an editable installation stays as it is."""
        if version == "editable":
            return
        self._folder = tempfile.TemporaryDirectory()
        target = Path(self._folder.name)
        build = Path(self.root, self.config["path"]).with_name("build.py")
        modules = self.metadata.config["tool"]["mypy"]["files"]
        subprocess.run([sys.executable, str(build), self.root, str(target), *modules], check=True)
        built = [path for path in target.rglob("*") if path.is_file()]
        build_data["force_include"].update({str(path): path.relative_to(target).as_posix() for path in built})
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what is in the wheel now."""
        del build_data, artifact_path
        if version != "editable":
            self._folder.cleanup()
