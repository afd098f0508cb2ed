"""Calls are kept where that pays, and elsewhere it costs little to see that it does not."""

from __future__ import annotations

import pytest

from ddl_lint.analysis.interpreter.language.worth_keeping import Worth
from ddl_lint.program import code


@pytest.fixture
def functions(codebase_of) -> list[code.Function]:
    text = "\n".join(f"def f{number}(): pass" for number in range(50))
    module = codebase_of({"main.py": text}).module("main")
    return [each for each in module.body if isinstance(each, code.Function)]


def test_a_function_that_was_long_is_looked_at_where_there_was_such_a_call_in_another_run(functions) -> None:
    worth, (short, long, *_) = Worth(), functions
    for _ in range(3):
        worth.note(short, 5, 5)
        worth.note(long, 500, 500)
    assert not worth.pays(long, 1, lambda: 7)
    assert worth.pays(long, 2, lambda: 7)
    assert not worth.pays(long, 2, lambda: 8)
    assert worth.pays(long, 3, lambda: 8)
    assert not worth.pays(short, 2, lambda: 7)


def test_what_is_never_known_costs_a_small_part_of_what_is_followed(functions) -> None:
    worth, followed, spent = Worth(), 0, 0
    for run in range(200):
        for function in functions:
            if worth.pays(function, run, lambda: 7):
                worth.spend(function, 4_000, is_kept=True)
                spent += 4_000 // 80
            worth.note(function, 100, 100)
            followed += 100
    assert 0 < spent < followed * 0.03


def test_what_was_known_pays_as_long_as_it_saves_more_than_it_costs(functions) -> None:
    worth, (function, *_) = Worth(), functions
    worth.note(function, 1_000, 1_000)
    worth.spend(function, 4_000, is_kept=True)
    worth.save(function, 4_000, taken=1_000)
    tries = 0
    while worth.pays(function, 2, lambda: 7):
        worth.spend(function, 4_000, is_kept=True)
        tries += 1
    assert 5 < tries < 15


def test_a_function_whose_calls_cannot_be_kept_is_left_alone(functions) -> None:
    worth, (function, *_) = Worth(), functions
    tries = 0
    for run in range(100):
        if worth.pays(function, run, lambda: 7):
            tries += 1
            worth.spend(function, 10, is_kept=False)
        worth.note(function, 1_000, 1_000)
    assert tries == 3


def test_whoever_does_not_ask_for_costs_keeps_all_long_calls(functions) -> None:
    worth, (function, *_) = Worth(is_free=True), functions
    worth.note(function, 1_000, 1_000)
    for _ in range(100):
        assert worth.pays(function, 1, lambda: 7)
        assert worth.spend(function, 1_000_000, is_kept=True)
