"""Writes what is generated into the documentation: `python -m ddl_lint.pages.docs` brings the README up to date, and
makes the pages of the rules, which are not kept in the repository: each build of the site makes them, too.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ddl_lint import __version__
from ddl_lint.pages.configuration_document import configuration_document
from ddl_lint.pages.editor_schema import FILE as SCHEMA
from ddl_lint.pages.editor_schema import editor_schema
from ddl_lint.pages.error_messages import error_document
from ddl_lint.pages.installation import addresses, installation_parts
from ddl_lint.pages.rule_document import (
    acted_on,
    consequence_document,
    framework_document,
    index_document,
    rule_document,
    witnessed,
)
from ddl_lint.pages.rulekit_document import rulekit_document
from ddl_lint.pages.symptom_document import symptom_document
from ddl_lint.registry.rules import Rule, load_rules

EXAMPLE = Path("examples", "hang")
"""The folder with the script that the README shows, from the root of the repository."""

SCRIPT = "train.py"

PICTURE = "pictures/hang.svg"
"""The picture of its trace, below `docs/`."""

FIXED_PICTURE = "pictures/fixed.svg"
"""The picture of its trace after its fix."""


CI = "ci.md"
"""The page whose parts depend on where ddl-lint is published, below `docs/`."""

PRECISION = "precision.md"
"""The page that says how often people act on each rule, below `docs/`."""

SCHEMAS = Path("vscode-extension", "schemas")
"""Where the extension finds the schema of the configuration, and the documentation, which publishes it."""


def example(root: Path) -> str:
    """What `ddl-lint check` really says about the example.

    Raises:
        ValueError: it finds nothing there.
    """
    result = _run(root / EXAMPLE, "check", "--isolated", "--quiet", SCRIPT)
    if result.returncode != 1:
        raise ValueError(f"the check of the example found nothing: {result.stderr.strip()}")
    return f"```text\n$ ddl-lint check\n{result.stdout.strip()}\n```"


def picture(root: Path) -> str:
    """The trace of the example, as SVG.

    Raises:
        ValueError: it cannot be traced.
    """
    return _traced(root / EXAMPLE)


def fixed_picture(root: Path) -> str:
    """The trace of the example after its fix, as SVG.

    Raises:
        ValueError: it cannot be fixed or traced.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(root / EXAMPLE / SCRIPT, folder)
        result = _run(folder, "check", "--isolated", "--fix", "--unsafe-fixes", SCRIPT)
        if result.returncode != 0:
            raise ValueError(f"the example cannot be fixed: {result.stderr.strip()}")
        return _traced(folder)


def _traced(folder: Path) -> str:
    result = _run(folder, "trace", "--output-format", "svg", SCRIPT)
    if result.returncode != 0:
        raise ValueError(f"the example cannot be traced: {result.stderr.strip()}")
    return result.stdout


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-m", "ddl_lint", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)


def generated(text: str, root: Path) -> str:
    """The README with its generated parts as they should be.

    Raises:
        ValueError: a pair of markers is missing, or the example shows no finding.
    """
    alternative = "Rank 0 waits in all_reduce; the other ranks have returned"
    text = _replaced(text, "trace", f"![{alternative}](docs/{PICTURE})")
    return _replaced(text, "example", example(root))


def with_addresses(text: str, root: Path) -> str:
    """The page about CI with its generated parts as they should be.

    Raises:
        ValueError: a pair of markers is missing.
    """
    for label, part in installation_parts(addresses(root), __version__).items():
        text = _replaced(text, label, part)
    return text


def _replaced(text: str, label: str, part: str) -> str:
    begin, end = f"<!-- {label}: begin -->\n", f"<!-- {label}: end -->\n"
    pattern = re.compile(f"(?<={re.escape(begin)}).*?(?={re.escape(end)})", re.DOTALL)
    result, count = pattern.subn(lambda _: f"{part}\n", text)
    if count != 1:
        raise ValueError(f"expected the lines `{begin.strip()}` and `{end.strip()}` once")
    return result


def pages(rules: Sequence[Rule], root: Path) -> dict[str, str]:
    """The generated pages by path below `docs/`: rules and their indexes, the configuration, the rulekit."""
    seen, acted = witnessed(), acted_on((root / "docs" / PRECISION).read_text(encoding="utf-8"))
    documents = {f"rules/{rule.name}.md": rule_document(rule, seen, acted) for rule in rules if not rule.info.is_engine}
    return {
        "rules.md": index_document(rules, seen, acted),
        "rules-by-framework.md": framework_document(rules),
        "rules-by-consequence.md": consequence_document(rules),
        "what-is-checked.md": symptom_document(rules, seen),
        "error-messages.md": error_document(rules),
        "configuration.md": configuration_document(),
        "rulekit.md": rulekit_document(),
        **documents,
    }


def write_pages(rules: Sequence[Rule], root: Path) -> None:
    """Make the generated pages below `docs/`, and remove those of rules that are gone."""
    folder, written = root / "docs", pages(rules, root)
    (folder / "rules").mkdir(exist_ok=True)
    for old in (folder / "rules").glob("*.md"):
        if f"rules/{old.name}" not in written:
            old.unlink()
    for name, page in written.items():
        (folder / name).write_text(page, encoding="utf-8", newline="\n")


def main() -> int:
    """Rewrite the README and the pages in the working directory; returns the exit code."""
    readme, folder = Path("README.md"), Path("docs")
    try:
        rules = load_rules()
        text = generated(readme.read_text(encoding="utf-8"), Path())
        readme.write_text(text, encoding="utf-8", newline="\n")
        ci = folder / CI
        ci.write_text(with_addresses(ci.read_text(encoding="utf-8"), Path()), encoding="utf-8", newline="\n")
        write_pages(rules, Path())
        (folder / PICTURE).parent.mkdir(exist_ok=True)
        for name, drawn in ((PICTURE, picture(Path())), (FIXED_PICTURE, fixed_picture(Path()))):
            (folder / name).write_text(drawn, encoding="utf-8", newline="\n")
        SCHEMAS.mkdir(exist_ok=True)
        (SCHEMAS / SCHEMA).write_text(editor_schema(rules), encoding="utf-8", newline="\n")
    except (OSError, ValueError) as error:
        print(f"error: {readme}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
