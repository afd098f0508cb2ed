"""The page about the configuration, made from its JSON schema."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

_HEAD = """\
# Configuration

Settings are in the table `[tool.ddl-lint]` of `pyproject.toml`, or at the top level of `ddl-lint.toml` or
`.ddl-lint.toml`:

```toml
[tool.ddl-lint]
ignore = ["load-without-map-location"]
extend-exclude = ["third_party"]
target = { torch = "2.4" }

[tool.ddl-lint.per-file-ignores]
"tests" = ["ALL"]
"!src" = ["DDL4"]

[tool.ddl-lint.severity]
missing-set-epoch = "error"
wasted-work = "info"
```

A rule is named by its name or code; a [group](command-line.md) such as `hang` or `horovod` selects several rules.

The nearest file counts, searched from the checked file upwards; `ddl-lint config PATH` shows which one that is and
what it says. Options of the command line win over it. Globs are written as in `.gitignore` and are relative to the
file. A mistake stops the check with a message that names the file, the line and the key.

`ddl-lint.schema.json`, beside this page and in the extension for VS Code, is a JSON schema of `ddl-lint.toml`: with it,
editors that know TOML complete keys and names of rules, explain them, and underline mistakes. Taplo, Even Better TOML
and Tombi read its address from the first line of the file: `#:schema ADDRESS`.
"""


def configuration_document() -> str:
    """Every key with its type, default and meaning."""
    schema: dict[str, Any] = json.loads(files("ddl_lint.project").joinpath("config.schema.json").read_text("utf-8"))
    definitions: Mapping[str, Any] = schema["$defs"]
    parts = [_HEAD, "## Keys\n"]
    for key, described in sorted(schema["properties"].items()):
        default = json.dumps(described["default"]) if "default" in described else "not set"
        parts.append(f"### `{key}`\n\n{described['description']}\n")
        parts.append(f"Type: {_type(described, definitions)}. Default: `{default}`.\n")
    return "\n".join(parts)


def _type(described: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    """A type of the schema in the words of a TOML file."""
    if reference := described.get("$ref"):
        return _type(definitions[reference.rpartition("/")[2]], definitions)
    if choices := described.get("anyOf"):
        return " or ".join(_type(choice, definitions) for choice in choices)
    if "enum" in described:
        return "one of " + ", ".join(f'`"{value}"`' for value in described["enum"])
    match described["type"]:
        case "array":
            return f"list of {_type(described['items'], definitions)}s"
        case "object":
            return f"table of {_type(described['additionalProperties'], definitions)}"
        case name:
            return str(name)
