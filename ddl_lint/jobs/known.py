"""What is known of launchers, variables, configurations and packages: the YAML files of `facts/`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("facts")


@cache
def facts(name: str) -> Mapping[str, Any]:
    """The facts of the file with a name, such as `environment`. Raises `FileNotFoundError` for others."""
    import yaml  # here, since most checks ask for none

    loader = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
    return yaml.load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"), Loader=loader)
