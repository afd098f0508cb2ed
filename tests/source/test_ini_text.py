"""The INI files of setuptools and git."""

from __future__ import annotations

import configparser

from ddl_lint.source.ini_text import read_ini

_FILE = """
# a comment
[metadata]
name = acme
Version: 1.0

[options]
install_requires =
    torch>=2.0

    ; another comment
    numpy
zip_safe
[remote "origin"]
\turl = git@example.org:team/repo.git
\tfetch = +refs/heads/*:refs/remotes/origin/*
"""


def test_the_same_as_python_reads():
    parser = configparser.RawConfigParser(allow_no_value=True)
    parser.read_string(_FILE)
    expected = {name: {key: value or "" for key, value in parser[name].items()} for name in parser.sections()}
    assert read_ini(_FILE) == expected


def test_what_python_would_read_for_hours():
    assert read_ini("[a]\nb" + " " * 500_000 + "c\n") == {"a": {"b" + " " * 500_000 + "c": ""}}
    assert read_ini("[a]\n" + "=x\n" * 300_000) == {"a": {"": "x"}}
    assert read_ini("no section\n[a]\nb = c\n") == {"a": {"b": "c"}}
