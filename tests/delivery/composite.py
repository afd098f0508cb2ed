"""Runs the steps of a composite action as a runner of GitHub does, as far as they are commands: no action is fetched.

Of the expressions it knows what ours need: contexts, texts, `==`, `!=`, `&&`, `||`, `!`, `always()`.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

_EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)
_TOKEN = re.compile(r"\s*(?:(?P<text>'(?:[^']|'')*')|(?P<sign>==|!=|&&|\|\||!|\(|\))|(?P<name>[\w.-]+))")


@dataclass
class Outcome:
    """What a run has done. `uses` are the actions that would have run, with what they would have been given."""

    failed: bool = False
    log: str = ""
    uses: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    outputs: dict[str, str] = field(default_factory=dict)


@dataclass
class Action:
    """An action in a folder. `replaced` holds other commands for steps, by their ids."""

    folder: Path
    temporary: Path
    replaced: Mapping[str, str] = field(default_factory=dict)

    def run(self, workspace: Path, environment: Mapping[str, str], **inputs: str) -> Outcome:
        """Run it in a workspace. Inputs have `_` for `-` in their names."""
        content = yaml.safe_load((self.folder / "action.yml").read_text(encoding="utf-8"))
        given = {name.replace("_", "-"): value for name, value in inputs.items()}
        unknown = given.keys() - content["inputs"].keys()
        assert not unknown, unknown
        known = {f"inputs.{name}": str(each.get("default", "")) for name, each in content["inputs"].items()}
        known |= {f"inputs.{name}": value for name, value in given.items()}
        known |= {"runner.os": "Linux", "runner.temp": str(self.temporary), "github.sha": "0" * 40}
        outcome = Outcome()
        for step in content["runs"]["steps"]:
            self._step(step, known, workspace, environment, outcome)
        outcome.outputs = {name: _filled(each["value"], known) for name, each in content["outputs"].items()}
        return outcome

    def _step(
        self,
        step: dict[str, Any],
        known: dict[str, str],
        workspace: Path,
        environment: Mapping[str, str],
        outcome: Outcome,
    ) -> None:
        condition = step.get("if", "")
        if outcome.failed and "always()" not in condition:
            return
        if condition and not _holds(condition, known):
            return
        if "uses" in step:
            assert "run" not in step
            outcome.uses.append(
                (step["uses"], {key: _filled(text, known) for key, text in step.get("with", {}).items()})
            )
            return
        assert step["shell"] == "bash"
        written = self.temporary / "output"
        written.write_text("")
        script = self.temporary / "step.sh"
        script.write_text(self.replaced.get(step.get("id", ""), step["run"]))
        result = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)],
            cwd=workspace,
            env={
                **environment,
                "CI": "true",
                "GITHUB_ACTIONS": "true",
                "GITHUB_ACTION_PATH": str(self.folder),
                "GITHUB_WORKSPACE": str(workspace),
                "GITHUB_OUTPUT": str(written),
                "RUNNER_TEMP": str(self.temporary),
                **{name: _filled(str(text), known) for name, text in step.get("env", {}).items()},
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        outcome.log += result.stdout
        outcome.failed |= result.returncode != 0
        for line in written.read_text().splitlines():
            name, _, value = line.partition("=")
            known[f"steps.{step['id']}.outputs.{name}"] = value


def _filled(text: str, known: Mapping[str, str]) -> str:
    return _EXPRESSION.sub(lambda found: str(_value(found[1], known)), text)


def _holds(condition: str, known: Mapping[str, str]) -> bool:
    return bool(_value(_EXPRESSION.sub(lambda found: found[1], condition), known))


def _value(expression: str, known: Mapping[str, str]) -> str | bool:
    """The value of an expression, by one of Python's that means the same."""
    words = {"&&": "and", "||": "or", "!": "not", "true": "True", "false": "False", "always": "(lambda: True)"}
    words["success"] = words["always"]
    parts: list[str] = []
    position, expression = 0, expression.strip()
    while position < len(expression):
        found = _TOKEN.match(expression, position)
        assert found, f"not known: {expression[position:]}"
        position = found.end()
        if found["text"]:
            parts.append(repr(found["text"][1:-1].replace("''", "'")))
        elif found["sign"]:
            parts.append(words.get(found["sign"], found["sign"]))
        else:
            parts.append(words.get(found["name"]) or repr(known.get(found["name"], "")))
    return eval(" ".join(parts), {"__builtins__": {}})  # of our own file, from texts that are quoted


def environment(cache: Path) -> dict[str, str]:
    """That of these tests, without what a CI around them says."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "GITHUB_", "RUNNER_"))}
    return {**kept, "HOME": str(cache)}
