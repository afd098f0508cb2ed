"""The compiled form: the same answers, no YAML at a warm start, and never a reason to fail."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ddl_lint.frameworks.compile import load_index
from ddl_lint.frameworks.errors import ModelError
from ddl_lint.storage import Storage

MODELS = """\
functions:
  lib.join: {parameters: "tensor, root=0, how=...", event: collective, constants: {operation: gather}}
classes:
  lib.Model: {kind: model, traits: {wrapper: ddp}, provides: [wrap], attributes: {rank: {rank: local}}}
"""


@pytest.fixture
def shipped(tmp_path: Path) -> Path:
    path = tmp_path / "lib.yaml"
    path.write_text(MODELS, encoding="utf-8")
    return path


def cached(cache: Storage) -> list[Path]:
    assert cache.folder is not None
    return sorted((cache.folder / "models").iterdir())


def test_compiled_models_equal_those_read(shipped: Path, tmp_path: Path) -> None:
    cache = Storage(tmp_path / "cache")
    plain = load_index([shipped])
    first, second = load_index([shipped], storage=cache), load_index([shipped], storage=cache)
    assert len(cached(cache)) == 1
    for name in plain.models:
        assert plain.resolve(name) == first.resolve(name) == second.resolve(name)
    assert first.packages == {"lib"}


def test_a_warm_start_reads_no_yaml(shipped: Path, tmp_path: Path) -> None:
    cache = Storage(tmp_path / "cache")
    load_index([shipped], storage=cache)
    script = (
        "import sys; from pathlib import Path; from ddl_lint.frameworks.compile import load_index; "
        "from ddl_lint.storage import Storage\n"
        f"index = load_index([Path({str(shipped)!r})], storage=Storage(Path({str(cache.folder)!r})))\n"
        "assert index.function('lib.join').event == 'collective'\n"
        "assert 'yaml' not in sys.modules and 'ddl_lint.frameworks.loader' not in sys.modules"
    )
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-c", script], cwd=root, check=True)


@pytest.mark.parametrize("damage", [b"", b"garbage", b"\0" * 64])
def test_a_damaged_cache_is_made_anew(shipped: Path, tmp_path: Path, damage: bytes) -> None:
    cache = Storage(tmp_path / "cache")
    load_index([shipped], storage=cache)
    (file,) = cached(cache)
    good = file.read_bytes()
    file.write_bytes(damage)
    assert load_index([shipped], storage=cache).function("lib.join") is not None
    assert file.read_bytes() == good


def test_another_content_is_another_index(shipped: Path, tmp_path: Path) -> None:
    cache = Storage(tmp_path / "cache")
    load_index([shipped], storage=cache)
    shipped.write_text(MODELS.replace("lib.join", "lib.meet"), encoding="utf-8")
    index = load_index([shipped], storage=cache)
    assert index.function("lib.meet") is not None and index.function("lib.join") is None


def test_a_cache_that_cannot_be_written_is_no_error(shipped: Path, tmp_path: Path) -> None:
    file = tmp_path / "a file"
    file.write_text("")
    assert load_index([shipped], storage=Storage(file)).function("lib.join") is not None


def test_user_models_stand_on_top(shipped: Path, tmp_path: Path) -> None:
    user = tmp_path / "user.yaml"
    user.write_text("functions: {mylib.gather: {same_as: lib.join}, lib.join: {event: seed}}", encoding="utf-8")
    index = load_index([shipped], [user], Storage(tmp_path / "cache"))
    mine, replaced = index.function("mylib.gather"), index.function("lib.join")
    assert replaced is not None and replaced.event == "seed"
    assert mine is not None and mine.event == "seed"
    assert index.packages == {"lib", "mylib"}


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"nowhere\.yaml: cannot be read"):
        load_index([tmp_path / "nowhere.yaml"])
    broken = tmp_path / "broken.yaml"
    broken.write_bytes(b"framework: x\ntitle: \xff\n")
    with pytest.raises(ModelError, match=r"broken\.yaml:2: is not UTF-8"):
        load_index([broken])
