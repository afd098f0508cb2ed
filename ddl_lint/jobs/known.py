"""What is known of launchers, variables, configurations and packages: the YAML files of `facts/`."""

from __future__ import annotations

import marshal
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from ddl_lint.storage import digest, user_storage

FOLDER = Path(__file__).with_name("facts")

_KIND = "facts"


@cache
def facts(name: str) -> Mapping[str, Any]:
    """The facts of the file with a name, such as `environment`. Raises `FileNotFoundError` for others."""
    return read_data(FOLDER / f"{name}.yaml")


def read_data(file: Path) -> Any:
    """What a YAML file of ours, or of a rule, holds: plain data alone. It is kept in a form that loads fast, under the
    content of the file. Raises `FileNotFoundError`.
    """
    content = file.read_bytes()
    storage = user_storage()
    key = digest(content, str(sys.implementation.cache_tag), str(marshal.version))
    kept = storage.read(_KIND, key)
    if kept is not None:
        with suppress(ValueError, EOFError, TypeError):
            return marshal.loads(kept)
    import yaml  # here, since most checks read none

    loader = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
    found = yaml.load(content.decode("utf-8"), Loader=loader)
    storage.write(_KIND, key, marshal.dumps(found))
    return found
