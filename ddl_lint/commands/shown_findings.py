"""The findings of a check as its options want them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ddl_lint.check.report import Report
from ddl_lint.commands.console import say
from ddl_lint.commands.outputs import Output
from ddl_lint.commands.terminal import has_colour, has_links
from ddl_lint.output import FORMATS, render
from ddl_lint.registry.rules import Rule

if TYPE_CHECKING:
    from ddl_lint.output.links import Links


def rendered(
    output: Output, report: Report, options: argparse.Namespace, rules: Sequence[Rule], *, summary: bool = True
) -> str:
    """The findings as the options want them."""
    on_screen = is_on_screen(output)
    if options.statistics and not FORMATS[output.format].is_for_people and output.format != "json":
        from ddl_lint.output import statistics

        say("\n".join(statistics.lines(report.findings)))  # the format has no place for it
    return render(
        report.findings,
        report.documents,
        output.format,
        files=report.files,
        colour=on_screen and has_colour(sys.stdout),
        summary=summary and report.files > 0 and not options.quiet,
        programs=report.programs,
        links=_links(rules) if on_screen and has_links(sys.stdout) else None,
        counts=options.statistics,
        rules={rule.code: rule.info for rule in rules},
        folder=_folder(options.baseline or options.write_baseline),
        hints=report.hints,
        silenced=report.silenced,
    )


def _folder(baseline: Path | None) -> str:
    """The folder that files are relative to in fingerprints: those of an output are those of its baseline."""
    return str(Path.cwd() / baseline.parent) if baseline else ""


def _links(rules: Sequence[Rule]) -> Links:
    """Rules lead to the file that says all of them: it is there wherever they are installed."""
    from ddl_lint.output.links import Links

    return Links({rule.code: (rule.folder / "rule.yaml").as_uri() for rule in rules if rule.folder is not None})


def is_on_screen(output: Output) -> bool:
    return FORMATS[output.format].is_for_people and output.file is None
