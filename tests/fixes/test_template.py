"""Other names in new code: what Python's own parser and libcst make of it is the same."""

from __future__ import annotations

import pytest

from ddl_lint.fixes.python import slow_template, template

CODE = [
    "torch.distributed.barrier()",
    "if torch.distributed.get_rank() == 0:\n    torch.save(x, 'é.pt')\ntorch.distributed.barrier()\n",
    "names = [torch.a.b for name in torch.c.d if torch.e(name.f)]\n",
    "value = (lambda x=torch.a: torch.b(x.c))(torch.d)  # torch.e\n",
    "names = [torch.x]\nnames.append(torch.y.z)\n__hole_0__.f(torch.g)\n",
    "torch.a[torch.b].c(torch.d)[0].e\n",
    "with torch.a(), torch.b as f.g:\n    return torch.c\n",
    "text = f'{torch.a}' + torch.b\n",
]


@pytest.mark.parametrize("code", CODE)
def test_both_ways_are_one(code):
    def run(renamed):
        asked: list[str] = []

        def name_of(full: str) -> str:
            asked.append(full)
            return f"new.{full.rpartition('.')[2]}"

        return renamed(code, name_of, {"names"}), asked

    assert run(template.renamed) == run(slow_template.renamed)


def test_what_python_cannot_read_goes_the_slow_way(monkeypatch):
    monkeypatch.setattr("ddl_lint.fixes.python.template.ast.parse", _refuse)
    assert template.renamed("torch.a()", lambda name: name.upper(), ()) == "TORCH.A()"


def _refuse(code):
    raise SyntaxError(code)
