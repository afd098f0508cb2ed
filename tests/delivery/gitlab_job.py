"""Runs the script of a GitLab job as a runner does: its lines in one shell, with the variables that GitLab sets."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

_NAME = re.compile(r"\$\{?(\w+)\}?")


@dataclass(frozen=True)
class Ended:
    """How a job has ended."""

    code: int
    log: str


@dataclass(frozen=True)
class Job:
    """A job of a template."""

    file: Path
    name: str

    @property
    def _content(self) -> dict[str, Any]:
        return yaml.safe_load(self.file.read_text(encoding="utf-8"))

    @property
    def artifact(self) -> str:
        """The code quality report, relative to the project."""
        return self._content[self.name]["artifacts"]["reports"]["codequality"]

    @property
    def cached(self) -> list[str]:
        """The folders that are kept from run to run, relative to the project."""
        return self._content[self.name]["cache"]["paths"]

    def run(self, project: Path, environment: Mapping[str, str], shell: str = "bash", **variables: str) -> Ended:
        """Run it in a checkout. `variables` are those of the pipeline, which includes the template."""
        set_by_gitlab = {
            "CI": "true",
            "GITLAB_CI": "true",
            "CI_SERVER": "yes",
            "CI_PROJECT_DIR": str(project),
            "CI_PROJECT_NAME": project.name,
            "CI_JOB_NAME": self.name,
            "CI_JOB_STAGE": self._content[self.name]["stage"],
            "CI_COMMIT_SHA": "0" * 40,
            "CI_PIPELINE_SOURCE": "merge_request_event",
        }
        of_job = self._content[self.name].get("variables", {})
        known = {**self._content["variables"], **variables, **of_job, **set_by_gitlab}
        lines = ["set -e", 'cd "$CI_PROJECT_DIR"', *self._content[self.name]["script"]]
        done = subprocess.run(
            [shell, "-c", "\n".join(lines)],
            env={**environment, **{name: _expanded(value, known) for name, value in known.items()}},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            check=False,
        )
        return Ended(done.returncode, done.stdout)


def _expanded(value: str, known: Mapping[str, str]) -> str:
    """The value of a variable that names others; what is not known is empty, as in a shell."""
    return _NAME.sub(lambda found: known.get(found[1], ""), value)
