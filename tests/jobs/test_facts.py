"""What is known as data: each file can be read, and has neither gaps nor contradictions."""

from __future__ import annotations

from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from ddl_lint.jobs.known import FOLDER, facts, read_data
from ddl_lint.storage import folder

NAMES = sorted(file.stem for file in FOLDER.glob("*.yaml"))


def test_what_is_kept_is_what_the_file_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(folder.VARIABLE, str(tmp_path / "cache"))
    file = tmp_path / "names.yaml"
    file.write_text("names: {one: [1, 2.5], two: null}\n", encoding="utf-8")
    assert read_data(file) == read_data(file) == {"names": {"one": [1, 2.5], "two": None}}
    (kept,) = (tmp_path / "cache" / "facts").iterdir()
    kept.write_bytes(kept.read_bytes()[:-3])
    assert read_data(file) == {"names": {"one": [1, 2.5], "two": None}}
    file.write_text("names: {}\n", encoding="utf-8")
    assert read_data(file) == {"names": {}}


@pytest.mark.parametrize("name", NAMES)
def test_each_file_names_its_sources(name: str) -> None:
    assert facts(name)
    head = (FOLDER / f"{name}.yaml").read_text(encoding="utf-8").partition("\n\n")[0][:1000]
    assert "Source" in head


def test_pairs_are_ranges() -> None:
    for pair in facts("packages")["pairs"]:
        SpecifierSet(pair["versions"])
        name = pair["needs"].rstrip("<>=!.0123456789,")
        assert name.isidentifier(), pair
        SpecifierSet(pair["needs"].removeprefix(name))
        assert pair["source"] and pair["why"] and pair.get("at", "build") == "build"


def test_the_releases_of_torch_have_no_gap() -> None:
    table = facts("packages")["torch"]
    releases = [Version(name) for name in table]
    assert releases == sorted(releases)
    assert [each.minor for each in releases if each.major == 2] == list(range(releases[-1].minor + 1))
    for row in table.values():
        assert row["torchvision"] and row["torchaudio"]


def test_no_api_ends_before_it_begins() -> None:
    for name, known in facts("apis").items():
        for each in (known, *(known.get("params") or {}).values()):
            if "since" in each and "last" in each:
                assert Version(each["since"]) <= Version(each["last"]), name


def test_variables_are_not_both_known_and_unknown() -> None:
    known = facts("environment")
    assert not set(known["never_read"]) & {*known["nccl"], *known["torch_nccl"]}
    assert set(known["horovod_aliases"].values()) <= set(known["horovod"])
    assert {meant for meant in known["never_read"].values() if meant} <= set(known["nccl"])


def test_keys_of_deepspeed() -> None:
    known = facts("deepspeed")
    assert set(known["removed_in"]) == set(known["removed_top_level"])
    assert set(known["required_by_schedulers"]) <= set(known["schedulers"])
