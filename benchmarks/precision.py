"""How often findings are right at first contact: `python -m benchmarks.precision` makes `docs/precision.md` of the
draws in `first_contact/`. What there is to say of a draw beyond its judgements (how it was made, by framework) lies
beside them, in `DRAW.md`.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from benchmarks.default_set import ActedOn, acted_on, retried
from benchmarks.judged import DRAWS, Judgement, judgements
from benchmarks.tables import table
from ddl_lint.registry.rules import load_rules

PAGE = Path(__file__).parent.parent / "docs" / "precision.md"

_INTRODUCTION = """\
# Precision at first contact

<!-- made by python -m benchmarks.precision -->

What ddl-lint said of repositories that were not looked at before, before anything was changed because of it. A reader
who had written none of the rules has judged each finding that is no note: *true* (it goes wrong, or the work is
wasted), *mild* (true, and of no consequence there), *false*. Copies of one script are counted as they come. The
figures are those of the version of the day: what they have shown was changed afterwards, and only the next draw tells
whether it has become better.

A rule is *acted on* in a repository where one of its findings is true: who looks after that code would change it.
*Still said* counts the judged findings that were tried again with a later version, and that it still makes there, not
as a hint. A rule that is acted on in less than 70 % of at least five repositories, of what is still said, is not in the
default set; those for the four faults that ddl-lint is named for, and for hangs, stay.
"""


def _shares(found: Iterable[Judgement]) -> list[str]:
    """The number of findings, and how many of them are true, mild and false."""
    verdicts = Counter(each.verdict for each in found)
    total = verdicts.total()
    false = f"{verdicts['false']} ({verdicts['false'] / total:.0%})" if total else "-"
    return [str(total), str(verdicts["true"]), str(verdicts["mild"]), false]


def _share(known: ActedOn | None) -> str:
    return f"{known.acted_on} of {known.repositories}" if known is not None else "-"


def _by(found: Sequence[Judgement], name: str) -> Mapping[str, list[Judgement]]:
    groups: dict[str, list[Judgement]] = defaultdict(list)
    for each in found:
        groups[getattr(each, name)].append(each)
    return dict(sorted(groups.items()))


def page(found: Sequence[Judgement]) -> str:
    """The page with the figures of each draw and of each rule."""
    names = {rule.code: rule for rule in load_rules()}
    draws: list[list[str]] = []
    for draw, made in _by(found, "draw").items():
        repositories = str(len({each.repository for each in made}))
        draws.append([draw, repositories, *_shares(made)])
        draws.append([f"{draw}, errors", "", *_shares(each for each in made if each.severity == "error")])
    rules: list[list[str]] = []
    judged, left = acted_on(found, None), acted_on(found, retried())
    for code, made in _by(found, "code").items():
        rule = names.get(code)
        title = f"{code} `{rule.name}`" if rule is not None else code
        rules.append([title, *_shares(made), _share(judged[code]), _share(left.get(code))])
    first = table(["draw", "repositories with findings", "findings", "true", "mild", "false"], draws)
    second = table(["rule", "findings", "true", "mild", "false", "acted on", "still said"], rules)
    return (
        f"{_INTRODUCTION}\n## Draws\n\n{first}\n\n## The last draw\n\n{_most_recent(found)}\n\n## Rules\n\n{second}\n"
    )


def _most_recent(found: Sequence[Judgement]) -> str:
    """What the false findings of the last draw have in common, in sentences."""
    draw, made = list(_by(found, "draw").items())[-1]
    false = [each for each in made if each.verdict == "false"]
    counts = Counter(each.code for each in false).most_common(_FEW)
    names = {rule.code: rule.name for rule in load_rules()}
    rows: list[list[str]] = []
    for code, count in counts:
        of_rule = [each for each in made if each.code == code]
        places = len({each.repository for each in false if each.code == code})
        rows.append([f"{code} `{names.get(code, '')}`", str(len(of_rule)), str(count), str(places)])
    share = sum(count for _, count in counts)
    repositories = len({each.repository for each in false})
    text = (
        f"In draw {draw}, {len(false)} of {len(made)} findings were false, in {repositories} repositories. "
        f"{len(counts)} rule{'s' * (len(counts) != 1)} made {share} of them:"
    )
    rules = table(["rule", "findings", "false", "repositories with a false one"], rows)
    return "\n\n".join(filter(None, (text, rules, _remarks(draw))))


def _remarks(draw: str) -> str:
    """What was written down beside the judgements of a draw, if anything."""
    path = DRAWS / f"{draw}.md"
    return path.read_text(encoding="utf-8").strip() if path.is_file() else ""


_FEW = 8
"""How many rules are named that were wrong most often."""


def main() -> int:
    """Write the page; returns the exit code."""
    PAGE.write_text(page(judgements()), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
