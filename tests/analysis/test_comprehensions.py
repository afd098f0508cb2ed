"""List comprehensions whose body may never be followed."""

from __future__ import annotations

from pathlib import Path

from programs import check_program


def test_a_repeated_list_without_any_turn(tmp_path: Path) -> None:
    program = tmp_path / "train.py"
    program.write_text(
        "import torch\n\n\ndef main(n):\n    while n:\n        return [torch.zeros(1) for _ in range(0)]\n"
        "    return [torch.zeros(1) for _ in []]\n\n\nmain(3)\n",
        encoding="utf-8",
    )
    (tmp_path / "checked").mkdir()
    assert not check_program(program, tmp_path / "checked").found
