"""What is known of logs is data: each entry must fit its own sample, and what it names must exist."""

from __future__ import annotations

import re

import pytest

from ddl_lint.diagnose.causes import causes, to_collect
from ddl_lint.diagnose.patterns import FIELDS, KNOWLEDGE, described, patterns, understood
from ddl_lint.jobs.known import read_data
from ddl_lint.registry.rules import load_rules

ENTRIES = described()
HOLES = FIELDS | {"failed", "failed_numbers", "waits", "absent", "exception", "text", "limit"}


@pytest.mark.parametrize("index", range(len(ENTRIES)), ids=lambda index: f"{ENTRIES[index]['kind']}-{index}")
def test_a_pattern_reads_its_sample(index: int):
    entry, pattern = ENTRIES[index], patterns()[index]
    values = pattern.values(entry["sample"])
    assert values is not None
    assert {name: values.get(name) for name in entry["holds"]} == entry["holds"]
    known = understood(entry["sample"])
    assert known is not None
    assert known[0].kind == entry["kind"]


def test_the_fields_of_patterns_are_known():
    groups = {name.rstrip("2") for pattern in patterns() for name in pattern.line.groupindex}
    assert groups <= FIELDS


def test_each_failure_is_explained():
    assert {pattern.kind for pattern in patterns() if pattern.role == "root"} <= causes().keys()


def test_the_rules_that_causes_name_exist():
    names = {rule.name for rule in load_rules()}
    assert {name for cause in causes().values() for name in cause.rules} <= names


def test_what_is_to_be_collected_is_explained_and_used():
    named = {name for cause in causes().values() for name in cause.next}
    assert named == to_collect().keys()


@pytest.mark.parametrize("kind", causes())
def test_sentences_begin_with_the_consequence_and_have_known_holes(kind: str):
    for text in causes()[kind].says:
        assert re.match(r"(Hang|Crash|Job|Machine|Cannot tell): ", text)
        assert set(re.findall(r"\{(\w+)\}", text)) <= HOLES
        assert len(text) <= 125
    assert "{" not in causes()[kind].sentence({})


def test_operations_are_told_apart_by_name():
    names = [name for each in read_data(KNOWLEDGE / "operations.yaml") for name in each["names"]]
    assert len(names) == len(set(names))
    for each in read_data(KNOWLEDGE / "operations.yaml"):
        assert {*each.get("small", ())} <= {*each["calls"], "broadcast_object_fn"}
