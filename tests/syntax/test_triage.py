"""Telling from bytes which files can matter."""

from __future__ import annotations

import pytest

from ddl_lint.syntax import Triage, imported_names

TRIAGE = Triage(["torch", "horovod"])


@pytest.mark.parametrize(
    "data",
    [
        b"import torch\n",
        b"x = 1\r\n    from torch.nn import Linear\r\n",
        b"import os\rimport torch\r",
        b"import os, horovod.torch as hvd\n",
        b"import os; import torch\n",
        b"try: import torch\nexcept: pass\n",
        b"\xef\xbb\xbfimport torch\n",
        b'  "source": ["import torch\\n", "x"]',
        b'  "source": "x\\nimport torch"',
        b'  "source": "x\\n    from torch import nn"',
    ],
)
def test_imports_matter(data: bytes) -> None:
    assert TRIAGE.can_matter(data)


@pytest.mark.parametrize(
    "data",
    [b"", b"x = 1\n", b"# needs torch\n", b"import torchvision\n", b"import mytorch\n", b"from .torch import x\n"],
)
def test_the_rest_does_not(data: bytes) -> None:
    assert not TRIAGE.can_matter(data)


def test_no_packages() -> None:
    assert not Triage([]).can_matter(b"import torch\n")


def test_imported_names() -> None:
    data = b"import os.path as p, torch\n  from horovod.torch import x\nfrom . import y\nimport (\n"
    assert imported_names(data) == {"os", "torch", "horovod"}
