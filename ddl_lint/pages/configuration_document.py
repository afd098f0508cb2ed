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

The file nearest to the checked file takes precedence; `ddl-lint config PATH` shows which files apply, and the resulting
settings. Options on the command line override them. Globs are written as in `.gitignore` and are relative to the
file. A mistake stops the check with a message that names the file, the line and the key.

## Several files

Files further up in the same project apply as well, up to one that says `root = true`, and so do the files that a file
`extends`. Tables are merged, and so are the lists `ignore`, `enforce`, `models`, `unfixable` and those whose names
begin with `extend-`; for everything else the nearest value is used. What a nearer file selects is removed from what
others ignore, and vice versa.

```toml
# ddl-lint.toml of a repository
extends = ["acme-lint-config:acme_lint_config/ddl-lint.toml"]  # in an installed package; or "shared/ddl-lint.toml"
required-version = ">=0.4"

[per-file-settings."legacy"]
severity = { ALL = "info" }
```

## For many repositories

| you want | write |
| --- | --- |
| one configuration for all | `extends`, with a package that has the file as data; nothing is downloaded or imported |
| rules that stay on | `enforce = ["hang", "data-loss"]` |
| comments that say why | `require-reason = true` |
| comments that expire | `# ddl-lint: ignore[DDL201] until 2027-01-31: the new launcher creates the group` |
| all that, whatever a repository says | the same keys in a file named by `--policy` or `DDL_LINT_POLICY` |

What `enforce` selects is on: `ignore`, `per-file-ignores`, a lower `severity` and a comment without a reason have no
effect on it. Only `--select` on the command line restricts a check to other rules. A comment is valid until the end of
its day; after that, it is reported (DDL005) and silences nothing. A policy may contain `enforce`, `require-reason`,
`fail-on`, `required-version` and `extends`, and neither a repository, an option nor an editor can override it. It does
not decide which files are checked, nor which findings a baseline names.

`ddl-lint.schema.json`, next to this page and in the VS Code extension, is a JSON schema of `ddl-lint.toml`: with it,
editors that support TOML complete keys and rule names, explain them, and underline mistakes. Taplo, Even Better TOML
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
            values = described["additionalProperties"]
            return f"table of {_type(values, definitions)}" if values else "table of settings"
        case name:
            return str(name)
