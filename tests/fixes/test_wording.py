"""New code in the names of a file, and the imports that it needs."""

from __future__ import annotations

import pytest

from ddl_lint.fixes.python.statements import insert_before
from ddl_lint.fixes.python.wording import word
from ddl_lint.fixes.unfixable import Unfixable
from editing import done, file_of_text, place_of

USUAL = {"torch.distributed": "dist", "torch.utils.data.DistributedSampler": "DistributedSampler"}
CANONICAL = {
    "torch.utils.data.distributed.DistributedSampler": "torch.utils.data.DistributedSampler",
    "torch.utils.data.DistributedSampler": "torch.utils.data.DistributedSampler",
}


def said(before: str, template: str, **holes: str) -> str:
    """The text with the template put before `here`."""
    file = file_of_text(before)
    place = place_of(file, "here")
    wording = word(place, template, holes, USUAL, CANONICAL.get)
    return done(file, wording.imports, insert_before(place, wording.text))


@pytest.mark.parametrize(
    ("imports", "name"),
    [
        ("import torch\n", "torch.distributed.barrier"),
        ("import torch.distributed\n", "torch.distributed.barrier"),
        ("import torch.distributed as dist\n", "dist.barrier"),
        ("import torch.distributed as td\nimport torch\n", "td.barrier"),
        ("from torch import distributed\n", "distributed.barrier"),
        ("from torch.distributed import barrier as wait\n", "wait"),
    ],
)
def test_names_that_the_file_has(imports, name):
    assert said(f"{imports}here()\n", "torch.distributed.barrier()") == f"{imports}{name}()\nhere()\n"


def test_what_is_bound_needs_no_import():
    before = "import os\nimport torch\n\nhere()\n"
    assert said(before, "os.path.exists(x)") == before.replace("here", "os.path.exists(x)\nhere")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import sys\nimport numpy\n\nhere()\n", "import sys\nimport os\nimport numpy\n\nos.getpid()\nhere()\n"),
        ("import numpy\n\nhere()\n", "import os\n\nimport numpy\n\nos.getpid()\nhere()\n"),
        ('"""Doc."""\nhere()\n', '"""Doc."""\nimport os\nos.getpid()\nhere()\n'),
        ("from __future__ import annotations\nhere()\n",
         "from __future__ import annotations\n\nimport os\nos.getpid()\nhere()\n"),
        ("# head\nhere()\n", "# head\nimport os\nos.getpid()\nhere()\n"),
        ("import numpy\r\nhere()\r\n", "import os\r\n\r\nimport numpy\r\nos.getpid()\r\nhere()\r\n"),
    ],
)  # fmt: skip
def test_an_import_is_put_beside_its_like(before, after):
    assert said(before, "os.getpid()") == after


def test_usual_names():
    assert said("import numpy\nhere()\n", "torch.distributed.barrier()") == (
        "import numpy\nimport torch.distributed as dist\ndist.barrier()\nhere()\n"
    )
    assert said("import numpy\nhere()\n", "torch.utils.data.DistributedSampler({dataset})", dataset="data") == (
        "import numpy\nfrom torch.utils.data import DistributedSampler\nDistributedSampler(data)\nhere()\n"
    )


def test_the_same_thing_under_another_name():
    before = "from torch.utils.data.distributed import DistributedSampler as DS\nhere()\n"
    assert "\nDS(data)\n" in said(before, "torch.utils.data.DistributedSampler({dataset})", dataset="data")


def test_a_usual_name_that_is_taken():
    before = "import numpy\n\ndist = 5.0\nhere()\n"
    assert "import torch.distributed\n" in said(before, "torch.distributed.barrier()")
    assert "\ntorch.distributed.barrier()\n" in said(before, "torch.distributed.barrier()")


def test_a_name_that_the_function_hides():
    before = "import torch.distributed as dist\nimport torch\n\ndef f(dist):\n    here()\n"
    assert "    torch.distributed.barrier()\n" in said(before, "torch.distributed.barrier()")
    with pytest.raises(Unfixable):
        said("import torch\n\ndef f(torch, dist):\n    here()\n", "torch.distributed.barrier()")


def test_an_import_within_the_function():
    before = "def f():\n    import torch.distributed as td\n    here()\n"
    assert said(before, "torch.distributed.barrier()") == before.replace("here", "td.barrier()\n    here")


def test_quotes_are_those_of_the_file():
    assert "os.environ['RANK']" in said("import os\nx = 'a'\nhere()\n", 'int(os.environ["RANK"])')
    assert 'os.environ["RANK"]' in said('import os\nx = "a"\nhere()\n', 'int(os.environ["RANK"])')


def test_new_variables_do_not_hide_old_ones():
    template = "shared = [{name}]\ntorch.distributed.broadcast(shared)\n{name} = shared[0]\n"
    plain = said("import torch.distributed as dist\nhere()\n", template, name="stop")
    assert "shared = [stop]\ndist.broadcast(shared)\nstop = shared[0]\nhere()\n" in plain
    taken = said("import torch.distributed as dist\nshared = 1\nhere()\n", template, name="self.stop")
    assert "shared_ = [self.stop]\ndist.broadcast(shared_)\nself.stop = shared_[0]\n" in taken
