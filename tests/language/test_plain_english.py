"""Rules, pages and commands use the words of the field in plain English."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddl_lint.pages.docs import pages
from ddl_lint.registry.rules import load_rules
from plain_english import ROOT, Text, complaints, english, files_of, names_in, texts_in


@pytest.mark.parametrize("place", english().done)
def test_words(place: str) -> None:
    said = [
        f"{path.relative_to(ROOT)}:{each.line}: `{each.said}` in `...{each.around}...`; write: {each.better}"
        for path in files_of(place)
        for text in texts_in(path)
        for each in complaints(text)
    ]
    assert not said, "\n".join(said)


def test_words_of_pages_that_are_made() -> None:
    made = pages(load_rules(), ROOT)
    said = [
        f"{page}:{each.line}: `{each.said}` in `...{each.around}...`; write: {each.better}"
        for page in english().made
        for each in complaints(Text(1, made[page]))
    ]
    assert not said, "\n".join(said)


@pytest.mark.parametrize("page", english().pages)
def test_words_of_pages(page: str) -> None:
    path = ROOT / page
    said = [
        f"{page}:{each.line}: `{each.said}` in `...{each.around}...`; write: {each.better}"
        for text in texts_in(path)
        for each in complaints(text, is_page=True)
    ]
    assert not said, "\n".join(said)


def test_names() -> None:
    better = english().names
    found = [
        f"{path.relative_to(ROOT)}:{line}: `{name}`; write: {better[name]}"
        for place in ("ddl_lint", "rules/ddl_lint_rules", "server/ddl_lint_server")
        for path in files_of(place)
        if path.suffix == ".py"
        for line, name in names_in(path)
        if name in better
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("the rule is mended", ["mended"]),
        ("it never ends, for nothing waits", [", for nothing"]),
        ("it never ends, for\nthe other ranks have gone", [", for the other ranks have"]),
        ("some keys, for example `module.` are there", []),
        ("wheels for the CPU, for macOS and for Windows", []),
        ("`the code stands here`", []),
        ("```\nit stands\n```\nit stands", ["stands"]),
        ("`get_rank()` gives -1", ["` gives"]),
        ("the next turn of the loop", ["next turn"]),
        ("it turns the tensor into a number", []),
        ("cannot tell which one", []),
    ],
)
def test_what_is_found(text: str, wrong: list[str]) -> None:
    assert [each.said for each in complaints(Text(1, text))] == wrong


def test_places_are_exact() -> None:
    assert [each.line for each in complaints(Text(3, "one\ntwo in vain\n"))] == [4]


def test_docstrings_are_read(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('"""A module."""\n\nSIZE = 1\n"""How often\nit turns in vain."""\n\nprint("it is mended")\n')
    found = [(each.line, each.said) for text in texts_in(module) for each in complaints(text)]
    assert sorted(found) == [(5, "in vain"), (7, "mended")]


def test_what_is_done_exists() -> None:
    for place in english().done:
        assert (ROOT / place).exists() and list(files_of(place)), place
