"""Which settings apply to a file, when a command or an editor has a say."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddl_lint.check.configuration import Configuration, Resolver
from ddl_lint.check.overrides import Overrides
from ddl_lint.project import config
from ddl_lint.project.config import ConfigError, Settings
from ddl_lint.registry.rules import load_rules

RULES = load_rules()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with settings beside it."""
    config.forget()
    (tmp_path / "ddl-lint.toml").write_text("pedantic = true\n")
    return tmp_path / "train.py"


def test_what_stands_beside_the_file_holds(file):
    resolver = Resolver(Configuration(Overrides(preview=True)), RULES)
    settings = resolver(file)
    assert (settings.pedantic, settings.preview) == (True, True)
    assert resolver(file.with_name("other.py")) is settings


def test_settings_for_all_files(file):
    assert not Resolver(Configuration(fixed=Settings()), RULES)(file).pedantic


def test_a_configuration_file_for_all_files(file, tmp_path):
    other = tmp_path / "other.toml"
    other.write_text("preview = true\n")
    settings = Resolver(Configuration(fixed=other), RULES)(file)
    assert (settings.pedantic, settings.preview, settings.source) == (False, True, other)


def test_of_folders_the_innermost_has_the_say(file, tmp_path):
    inner, outer = tmp_path / "a" / "b", tmp_path / "a"
    folders = {
        inner.as_posix(): Configuration(Overrides(ignore=("DDL201",))),
        outer.as_posix(): Configuration(Overrides(ignore=("DDL202",))),
    }
    resolver = Resolver(Configuration(Overrides(ignore=("DDL203",)), folders=folders), RULES)
    said = [resolver(folder / "train.py").ignore for folder in (inner, outer, tmp_path)]
    assert said == [("DDL201",), ("DDL202",), ("DDL203",)]


@pytest.mark.parametrize("overrides", [Overrides(select=("nope",)), Overrides(target=("torch",))])
def test_an_error_says_whose_it_is(file, overrides):
    resolver = Resolver(Configuration(overrides, origin=Path("the editor")), RULES)
    with pytest.raises(ConfigError, match=r"^the editor: "):
        resolver(file)
