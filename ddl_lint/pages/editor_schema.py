"""The schema of the configuration for editors, and how the extension for VS Code offers it.

The definition itself says what is allowed. Here it also names all rules, so that editors complete them.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from typing import Any

from ddl_lint.pages.published import documentation
from ddl_lint.project.config import CONFIG_FILES, PYPROJECT, config_schema
from ddl_lint.registry.rules import Rule

FILE = "ddl-lint.schema.json"


def editor_schema(rules: Sequence[Rule]) -> str:
    """The schema of `ddl-lint.toml`, as JSON."""
    schema = copy.deepcopy(dict(config_schema()))
    definitions: dict[str, Any] = schema["$defs"]
    selector = definitions["selector"]
    named = [{"const": rule.name, "description": f"{rule.code}: {rule.info.summary}."} for rule in rules]
    # The second alternative allows everything that the definition does: codes, groups, rules of other packages.
    definitions["selector"] = {"description": selector["description"], "anyOf": [{"oneOf": named}, selector]}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def toml_validation() -> list[Mapping[str, object]]:
    """What the extension tells TOML extensions: they load schemas from the web only, so nothing before it is there.

    Of `pyproject.toml` nothing is said: a file has one schema there, and that of all other tools would be lost.
    """
    base = documentation()
    if not base:
        return []
    return [{"fileMatch": [name for name in CONFIG_FILES if name != PYPROJECT], "url": f"{base.rstrip('/')}/{FILE}"}]
