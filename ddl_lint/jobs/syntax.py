"""Whether the files around programs can be read at all."""

from __future__ import annotations

from pathlib import PurePath

from ddl_lint.jobs.file_names import kind_of
from ddl_lint.jobs.shell import shell_faults
from ddl_lint.jobs.yaml_positions import YamlError, read_yaml
from ddl_lint.source.json_positions import JsonError, read_json
from ddl_lint.source.toml_text import TomlError, read_toml


def syntax_faults(path: str, text: str) -> int:
    """How many syntax errors a launch file holds, as far as that is known."""
    pure = PurePath(path)
    try:
        match kind_of(pure.name, pure.parent.name):
            case "shell":
                return shell_faults(text)
            case "yaml" | "environment":
                read_yaml(text)
            case "json":
                read_json(text)
            case "pyproject":
                read_toml(text)
            case _:
                return 0
    except (YamlError, JsonError, TomlError, RecursionError):
        return 1
    return 0
