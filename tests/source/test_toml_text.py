"""TOML of strangers: what Python's parser would take too long for never comes to it."""

from __future__ import annotations

import pytest

from ddl_lint.source.toml_text import TomlError, read_toml

_MANY = 200_000  # parts: the parser would take hours


@pytest.mark.parametrize("key", ["a.", "a . ", '"a".', "'a.b' .", "a-1_."])
@pytest.mark.parametrize("around", ["{} = 1", "[{}]", "[[{}]]", "x = {{{} = 1}}", "x = [{{y = 1, {} = 1}}]"])
def test_a_key_of_very_many_parts_is_refused(key, around):
    text = "a = 1\n" + around.format(key * _MANY + "b") + "\n"
    with pytest.raises(TomlError, match="a key of more than 32 parts") as refused:
        read_toml(text)
    assert refused.value.line == 2


@pytest.mark.parametrize(
    "text",
    [
        "x = '" + "a." * 1_000 + "'",
        'x = "' + "a." * 1_000 + '"',
        'x = """\n' + "a." * 1_000 + '\n"""',
        "x = '''\n" + "a." * 1_000 + "\n'''",
        "x = 1 # " + "a." * 1_000,
        "x = [" + "1.5, " * 1_000 + "]",
        '"' + "a." * 1_000 + '" = 1',
        ".".join("a" * 32) + " = 1",
    ],
)
def test_what_only_looks_like_such_a_key(text):
    assert len(read_toml(text)) == 1


@pytest.mark.parametrize("digits", ["9" * 5_000, "0x" + "f" * 5_000, "0b" + "1" * 5_000, "0o" + "7" * 5_000])
def test_a_number_that_python_could_not_show_is_refused(digits):
    with pytest.raises(TomlError, match="a number that is too long"):
        read_toml(f"x = {digits}\n")


def test_faults_name_their_line():
    with pytest.raises(TomlError, match="is not valid TOML") as refused:
        read_toml("a = 1\nb = \n")
    assert refused.value.line == 2


def test_a_deep_text_is_refused():
    with pytest.raises(TomlError, match="nested too deeply"):
        read_toml("x = " + "[" * 100_000)


def test_a_text_is_read_once():
    assert read_toml("a = 'once'\n") is read_toml("a = 'once'\n")
