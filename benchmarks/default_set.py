"""Which rules belong to the default set: `python -m benchmarks.default_set` writes `confidence` into each `rule.yaml`.

A rule is of high confidence unless people have been seen not to act on it: where its findings were judged in at least
five repositories (`first_contact/`), and in less than 70 % of these a maintainer would act on one, it is of medium
confidence and gives hints. Its errors stay where people do act on those, in three repositories or more. What was judged
of a version that is gone counts only where it was tried again and is still said: `retried.csv` holds what a later
version says at the same place of the same commit, and is written by
`python -m benchmarks.default_set --retry FOLDER`, where FOLDER holds a checkout `OWNER+NAME` of each repository.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, cast

from benchmarks.judged import DRAWS, Judgement, judgements
from ddl_lint.finding import Confidence
from ddl_lint.registry.rules import Rule, load_rules

RETRIED = DRAWS.parent / "retried.csv"
Now = Literal["said", "hint", "silent"]

FEW = 5
"""So many judged repositories tell something of a rule."""

FEW_ERRORS = 3
"""So many with errors tell something of these."""

ENOUGH = 0.7
"""The share of them in which somebody would act on a finding."""

NAMED = frozenset({"DDL201", "DDL305", "DDL401", "DDL501"})
"""The faults that the product is for: these rules are made right where they are not, and stay."""

_HANG = re.compile(r"DDL50\d|DDL51[0-5]")
"""The rules about ranks that do not meet: as `NAMED`."""


class ActedOn(NamedTuple):
    """In how many repositories a rule was judged, and in how many of them somebody would act on a finding."""

    repositories: int
    acted_on: int

    @property
    def share(self) -> float:
        """Of the repositories; 1 where there are none."""
        return self.acted_on / self.repositories if self.repositories else 1.0


def retried(path: Path = RETRIED) -> Mapping[tuple[str, str, str, str], Now]:
    """What a later version says where a finding was judged, by repository, file, line and code.

    Raises:
        OSError: the file cannot be read.
        KeyError: it lacks a column.
    """
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {(row["repository"], row["file"], row["line"], row["code"]): cast("Now", row["now"]) for row in rows}


def acted_on(found: Iterable[Judgement], now: Mapping[tuple[str, str, str, str], Now] | None) -> dict[str, ActedOn]:
    """Of each rule that was judged: all of it, or what was tried again and is still said, as no hint."""
    verdicts: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for each in found:
        if now is None or now.get((each.repository, each.file, each.line, each.code)) == "said":
            verdicts[each.code][each.repository].add(each.verdict)
    return {
        code: ActedOn(len(places), sum("true" in said for said in places.values()))
        for code, places in sorted(verdicts.items())
    }


def confidence(code: str, known: ActedOn | None) -> Confidence:
    """How sure the findings of a rule are, by what is known of it."""
    if code in NAMED or _HANG.fullmatch(code) or known is None or known.repositories < FEW:
        return Confidence.HIGH
    return Confidence.HIGH if known.share >= ENOUGH else Confidence.MEDIUM


def has_sure_errors(known: ActedOn | None) -> bool:
    """Whether people act on the errors of a rule, by what is known of these."""
    return known is not None and known.repositories >= FEW_ERRORS and known.share >= ENOUGH


def confidences() -> dict[str, tuple[Confidence, bool]]:
    """That of each rule that is no engine's, by its code, and whether its errors are surer than that."""
    found, now = list(judgements()), retried()
    known = acted_on(found, now)
    errors = acted_on((each for each in found if each.severity == "error"), now)
    decided = {rule.code: confidence(rule.code, known.get(rule.code)) for rule in _ours()}
    return {
        code: (each, each is Confidence.MEDIUM and has_sure_errors(errors.get(code))) for code, each in decided.items()
    }


def _ours() -> Sequence[Rule]:
    return [rule for rule in load_rules() if not rule.info.is_engine]


# --- what is still said -----------------------------------------------------------------------------------------------


def retry(folder: Path, command: Sequence[str]) -> list[dict[str, str]]:
    """What a command says today where findings were judged, of the repositories that lie in a folder at that commit."""
    rows: dict[tuple[str, str], list[dict[str, str]]] = defaultdict(list)
    for path in sorted(DRAWS.glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if row["confidence"] == "high":
                    rows[row["repository"], row["commit"]].append(row)
    told: list[dict[str, str]] = []
    for (repository, commit), judged in rows.items():
        checkout = folder / repository.replace("/", "+")
        if not _commit(checkout).startswith(commit):
            continue
        said = _severities(checkout, command)
        print(f"{repository}: {len(judged)} judged", file=sys.stderr)
        for row in judged:
            place = (row["file"], row["line"], row["code"])
            kinds = said.get(place, set())
            now: Now = "silent" if not kinds else "hint" if kinds == {"info"} else "said"
            told.append({key: row[key] for key in ("repository", "commit", "file", "line", "code")} | {"now": now})
    return told


def _commit(checkout: Path) -> str:
    if not checkout.is_dir():
        return ""
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=checkout, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def _severities(checkout: Path, command: Sequence[str]) -> Mapping[tuple[str, str, str], set[str]]:
    """What a check says: at each place the severities, with those of the other places of one cause. Rules that have
    left the default set are asked as if they had not.
    """
    left = ",".join(rule.code for rule in _ours() if rule.info.confidence is not Confidence.HIGH)
    options = ["check", "--no-cache", "--output-format", "json", *(["--extend-select", left] if left else []), "."]
    done = subprocess.run([*command, *options], cwd=checkout, capture_output=True, text=True, check=False)
    found: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for finding in json.loads(done.stdout)["diagnostics"]:
        for each in (finding, *finding.get("related", [])):
            line = str(each["range"]["start"]["line"])
            found[each["file"], line, finding["code"]].add(finding["severity"])
    return found


def _write(rows: Sequence[Mapping[str, str]]) -> None:
    with RETRIED.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["repository", "commit", "file", "line", "code", "now"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


# --- the rules' own files ---------------------------------------------------------------------------------------------


def main() -> int:
    """Write what is known of the rules into their files; returns the exit code."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--retry", type=Path, metavar="FOLDER", help="first find out what is still said")
    options.add_argument("--command", nargs="+", default=["ddl-lint"], help="what is asked then")
    given = options.parse_args()
    if given.retry is not None:
        _write(retry(given.retry, given.command))
    wanted = confidences()
    for rule in _ours():
        assert rule.folder is not None  # as that of each rule that is no engine's
        file = rule.folder / "rule.yaml"
        text = file.read_text(encoding="utf-8")
        sure, errors = wanted[rule.code]
        line = f"confidence: {sure.value}" + ("\nsure_errors: true" if errors else "")
        written = re.sub(r"(?m)^confidence: \w+(\nsure_errors: true)?$", line, text)
        if written != text:
            file.write_text(written, encoding="utf-8", newline="\n")
            print(f"{rule.code} {rule.name}: {sure.value}{', errors stay' if errors else ''}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
