"""Checks pasted files in the browser. The worker calls `check`; nothing of what is pasted is executed."""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from ddl_lint.__main__ import main

FOLDER = Path("/project")
SCRIPT = "train.py"


def check(files: str) -> str:
    """The findings of a project and the picture of what the ranks of its script do, as JSON.

    Args:
        files: The text of each file by its name, as JSON. `train.py` is the script.

    Returns:
        `{"problem": str, "findings": [...], "trace": str}`: the findings as `--output-format json` has them, the
        picture as SVG; a problem, such as a syntax error, leaves both empty.
    """
    texts: dict[str, str] = json.loads(files)
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.iterdir():
        if old.is_file() and old.name not in texts:
            old.unlink()
    for name, text in texts.items():
        (FOLDER / Path(name).name).write_text(text, encoding="utf-8")
    try:
        compile(texts[SCRIPT], SCRIPT, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:  # ValueError: a null character
        line = getattr(error, "lineno", None)
        return _answer(problem=f"line {line}: {error.args[0]}" if line else str(error))
    code, output, errors = _run("check", "--isolated", "--no-cache", "--jobs", "1", "--output-format", "json", ".")
    if code == 2:
        return _answer(problem=errors)
    _, picture, _ = _run("trace", "--output-format", "svg", SCRIPT)
    return _answer(findings=json.loads(output)["diagnostics"], trace=picture)


def _answer(problem: str = "", findings: list[Any] | None = None, trace: str = "") -> str:
    return json.dumps({"problem": problem, "findings": findings or [], "trace": trace})


def _run(*arguments: str) -> tuple[int, str, str]:
    """A command as on the command line: its exit code, what it wrote, and its errors."""
    output, errors = io.StringIO(), io.StringIO()
    sys.argv = ["ddl-lint", *arguments]
    with redirect_stdout(output), redirect_stderr(errors):
        try:
            code = main()
        except SystemExit as exit:
            code = exit.code if isinstance(exit.code, int) else 2
    return code, output.getvalue(), errors.getvalue().strip()
