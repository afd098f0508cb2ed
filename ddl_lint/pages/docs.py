"""Writes what is generated into the documentation: `python -m ddl_lint.pages.docs` brings the README and the pages
of the rules up to date.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from ddl_lint.pages.configuration_document import configuration_document
from ddl_lint.pages.error_messages import error_document
from ddl_lint.pages.rule_document import framework_document, index_document, rule_document, witnessed
from ddl_lint.pages.rule_page import EXPECTATION
from ddl_lint.pages.rulekit_document import rulekit_document
from ddl_lint.registry.rules import Rule, load_rules

EXAMPLE = "missing-init-process-group"
"""The rule whose faulty program the README shows the findings of."""


TRACED = "early-exit-before-collective", "train_wells.py"
"""The rule and the script of its faulty program that the README shows the trace of."""


def rules_table(rules: Sequence[Rule]) -> str:
    """A Markdown table of all rules but the engine's own."""
    rows = ["| code | name | finds | severity | fix |", "| --- | --- | --- | --- | --- |"]
    for rule in rules:
        if not rule.info.is_engine:
            summary = rule.info.summary.replace("|", "\\|")
            fix = rule.info.fix.applicability if rule.info.fixable else "-"
            if fix == "safe" and rule.info.fix.reason:
                fix = "safe or unsafe"
            rows.append(f"| {rule.code} | `{rule.name}` | {summary} | {rule.info.severity.value} | {fix} |")
    return "\n".join(rows)


def example(rules: Sequence[Rule]) -> str:
    """What `ddl-lint check` really says about the faulty program of a rule.

    Raises:
        ValueError: it finds nothing there.
    """
    room = next(rule.room for rule in rules if rule.name == EXAMPLE)
    assert room is not None
    command = [sys.executable, "-I", "-m", "ddl_lint", "check", "--isolated", "--quiet"]
    result = subprocess.run(command, cwd=room / "bad", capture_output=True, encoding="utf-8", check=False)
    if result.returncode != 1:
        raise ValueError(f"the check of the example found nothing: {result.stderr.strip()}")
    return f"```text\n$ ddl-lint check\n{EXPECTATION.sub('', result.stdout).strip()}\n```"


def trace_example(rules: Sequence[Rule]) -> str:
    """What `ddl-lint trace` really shows of a script of the faulty program of a rule."""
    name, script = TRACED
    room = next(rule.room for rule in rules if rule.name == name)
    assert room is not None
    command = [sys.executable, "-I", "-m", "ddl_lint", "trace", script]
    result = subprocess.run(
        command,
        cwd=room / "bad",
        capture_output=True,
        encoding="utf-8",
        check=True,
        env={**os.environ, "COLUMNS": "90"},
    )
    return f"```text\n$ ddl-lint trace {script}\n{result.stdout.strip()}\n```"


def generated(text: str, rules: Sequence[Rule]) -> str:
    """The README with its generated parts as they should be.

    Raises:
        ValueError: a pair of markers is missing, or the example shows no finding.
        CalledProcessError: the example cannot be traced.
    """
    text = _replaced(text, "rules", rules_table(rules))
    text = _replaced(text, "trace", trace_example(rules))
    return _replaced(text, "example", example(rules))


def _replaced(text: str, label: str, part: str) -> str:
    begin, end = f"<!-- {label}: begin -->\n", f"<!-- {label}: end -->\n"
    pattern = re.compile(f"(?<={re.escape(begin)}).*?(?={re.escape(end)})", re.DOTALL)
    result, count = pattern.subn(lambda _: f"{part}\n", text)
    if count != 1:
        raise ValueError(f"expected the lines `{begin.strip()}` and `{end.strip()}` once")
    return result


def pages(rules: Sequence[Rule]) -> dict[str, str]:
    """The generated pages by path below `docs/`: rules and their indexes, the configuration, the rulekit."""
    seen = witnessed()
    documents = {f"rules/{rule.name}.md": rule_document(rule, seen) for rule in rules if not rule.info.is_engine}
    return {
        "rules.md": index_document(rules, seen),
        "rules-by-framework.md": framework_document(rules),
        "error-messages.md": error_document(rules),
        "configuration.md": configuration_document(),
        "rulekit.md": rulekit_document(),
        **documents,
    }


def main() -> int:
    """Rewrite the README and the pages in the working directory; returns the exit code."""
    readme, folder = Path("README.md"), Path("docs")
    try:
        rules = load_rules()
        text = generated(readme.read_text(encoding="utf-8"), rules)
        readme.write_text(text, encoding="utf-8", newline="\n")
        written = pages(rules)
        (folder / "rules").mkdir(exist_ok=True)
        for old in (folder / "rules").glob("*.md"):
            if f"rules/{old.name}" not in written:
                old.unlink()
        for name, page in written.items():
            (folder / name).write_text(page, encoding="utf-8", newline="\n")
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        print(f"error: {readme}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
