"""Programs of files on disk: a file whose content was seen before is not parsed again, and libcst not even loaded."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import is_dataclass
from pathlib import Path

from ddl_lint import distributions
from ddl_lint.program import code
from ddl_lint.program.lowered import LoweredFile
from ddl_lint.source.fault import SyntaxFault
from ddl_lint.source.span import Span
from ddl_lint.storage import Codec, Storage, digest, fingerprint

_KIND = "programs"
_NODES = [each for each in vars(code).values() if isinstance(each, type) and is_dataclass(each)]
_CODEC = Codec([*_NODES, SyntaxFault, Span])


class StoredPrograms:
    """Lowered files by the content of the file and by the name under which the project knows it."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._version = ""

    def load(self, path: str, content: str, name: str, *, is_package: bool) -> LoweredFile | None:
        """The program of a file, None if it is not stored. `content` is the digest of the file's bytes."""
        data = self._storage.read(_KIND, self._key(path, content, name, is_package))
        if data is None:
            return None
        try:
            return decoded(data, path, name, is_package)
        except ValueError:
            return None

    def holds(self, path: str, content: str, name: str, *, is_package: bool) -> bool:
        """Whether a program is stored; arguments as for `load`."""
        return self._storage.holds(_KIND, self._key(path, content, name, is_package))

    def store(self, content: str, lowered: LoweredFile) -> None:
        """Keep what lowering made of a file; arguments as for `load`."""
        module = lowered.module
        with contextlib.suppress(ValueError):  # it nests too deeply: such a file is lowered each time
            self._storage.write(
                _KIND, self._key(module.path, content, module.name, module.is_package), encoded(lowered)
            )

    def _key(self, path: str, content: str, name: str, is_package: bool) -> str:
        if not self._version:
            self._version = _version()
        kind = "notebook" if path.lower().endswith(".ipynb") else "package" if is_package else "module"
        return digest(self._version, content, name, kind)


def encoded(lowered: LoweredFile) -> bytes:
    """A program as bytes, without its path and name.

    Raises:
        ValueError: it nests too deeply.
    """
    module = lowered.module
    return _CODEC.encode((module.body, module.imported, module.words, lowered.faults))


def decoded(data: bytes, path: str, name: str, is_package: bool) -> LoweredFile:
    """The program that was `encoded`.

    Raises:
        ValueError: the bytes are damaged.
    """
    try:
        body, imported, words, faults = _CODEC.decode(data)
    except TypeError as error:
        raise ValueError(str(error)) from error
    return LoweredFile(code.Module(path, name, is_package, body, imported, words), faults)


def _version() -> str:
    """A name for what makes programs: our own code for it, libcst, and Python."""
    package = Path(__file__).parents[1]
    own = fingerprint(package / part for part in ("source", "syntax", "program", "lowering"))
    return digest(own, distributions.version("libcst"), sys.version)
