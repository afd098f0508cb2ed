"""Arguments of a call under the names of its parameters."""

from __future__ import annotations

from ddl_lint.frameworks.bind import bind
from ddl_lint.frameworks.loader import parse_parameters

SIGNATURE = parse_parameters("tensor, src=None, *, group=None")


def test_positional_and_keyword() -> None:
    bound = bind(SIGNATURE, ["x"], [("group", "g")])
    assert bound.values == {"tensor": "x", "group": "g"}
    assert bound.given("group") and bound.absent("src") and not bound.opaque


def test_star_makes_later_positions_unknown() -> None:
    bound = bind(SIGNATURE, ["x"], [], star=True)
    assert bound.unknown == {"src"}
    assert bound.absent("group") and not bound.absent("src") and bound.opaque


def test_double_star_makes_every_name_unknown() -> None:
    bound = bind(SIGNATURE, ["x"], [], double_star=True)
    assert bound.unknown == {"src", "group"}
    assert bound.values == {"tensor": "x"}


def test_more_arguments_than_names() -> None:
    bound = bind(SIGNATURE, ["x", "y", "z"], [("other", 1)])
    assert bound.extra_positional == ("z",)
    assert bound.extra_keywords == {"other": 1}


def test_variable_parameters_take_the_rest() -> None:
    bound = bind(parse_parameters("first, *rest, last=None, **more"), [1, 2, 3], [("last", 4), ("k", 5)])
    assert bound.values == {"first": 1, "last": 4}
    assert bound.extra_positional == (2, 3)
    assert bound.extra_keywords == {"k": 5}


def test_without_a_signature_only_keywords_have_names() -> None:
    bound = bind(None, [1], [("k", 2)])
    assert bound.values == {"k": 2}
    assert bound.extra_positional == (1,)
