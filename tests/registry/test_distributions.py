"""What installed packages say of themselves, read without the machinery that is there for it."""

from __future__ import annotations

import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

from ddl_lint import distributions

_NAMED = """\
[console_scripts]
some-rules = some_rules.command:main

[ddl_lint.rules]
# what rules are called is of no account
some = some_rules
 others=some_rules.others
"""


def _install(folder: Path, version: str, entry_points: str = "") -> None:
    info = folder / f"Some.Rules-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: Some.Rules\nVersion: {version}\n\nVersion: 7\n")
    (info / "entry_points.txt").write_text(entry_points)


def test_it_is_what_the_library_says() -> None:
    for group in ("ddl_lint.rules", "console_scripts", "pytest11"):
        told = {(each.name, each.value) for each in metadata.entry_points(group=group)}
        assert {(each.name, each.value) for each in distributions.entry_points(group)} == told
    for package in ("libcst", "PyYAML", "ddl-lint", "ddl_lint"):
        assert distributions.version(package) == metadata.version(package)


def test_the_first_installation_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _install(tmp_path / "first", "1.0", _NAMED)
    _install(tmp_path / "second", "2.0", "[ddl_lint.rules]\nsome = elsewhere\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "first"), str(tmp_path / "none"), str(tmp_path / "second")])
    assert distributions.version("some-rules") == "1.0" == metadata.version("some-rules")
    assert distributions.entry_points("ddl_lint.rules") == [
        ("some", "some_rules", "some_rules"),
        ("others", "some_rules.others", "some_rules"),
    ]
    assert distributions.version("some-models") == ""


def test_packages_in_an_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tmp_path / "all.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("some_rules-3.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: some_rules\nVersion: 3.0\n")
        file.writestr("some_rules-3.0.dist-info/entry_points.txt", "[ddl_lint.rules]\nsome = some_rules\n")
    monkeypatch.setattr(sys, "path", [str(archive)])
    assert distributions.version("some-rules") == "3.0"
    assert distributions.entry_points("ddl_lint.rules") == [("some", "some_rules", "some_rules")]
