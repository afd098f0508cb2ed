"""What holds for all projects, whatever they say: of the organisation that runs the check."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from ddl_lint.project.config import ConfigError, Settings, load

VARIABLE = "DDL_LINT_POLICY"
"""Names the file where no option does."""

_KEYS = frozenset({"enforce", "require-reason", "fail-on", "required-version", "extends"})


@dataclass(frozen=True)
class Policy:
    """What no configuration file, and no option, takes back."""

    enforce: tuple[str, ...] = ()
    require_reason: bool = False
    fail_on: tuple[str, ...] = ()
    fault: ConfigError | None = None
    """Why it cannot be used; then nothing is checked, rather than without it."""

    def over(self, settings: Settings) -> Settings:
        """Settings of a project, with what holds for all.

        Raises:
            ConfigError: the policy cannot be used.
        """
        if self.fault is not None:
            raise self.fault
        if self == Policy():
            return settings
        return replace(
            settings,
            enforce=tuple(dict.fromkeys((*settings.enforce, *self.enforce))),
            require_reason=settings.require_reason or self.require_reason,
            fail_on=tuple(dict.fromkeys((*settings.fail_on, *self.fail_on))),
        )


def load_policy(file: Path | None) -> Policy:
    """The policy of a file, or of the one that the environment names; without any, it says nothing.

    Raises:
        ConfigError: the file cannot be used, or says what is none of a policy's business.
    """
    file = file or (Path(named) if (named := os.environ.get(VARIABLE)) else None)
    if file is None:
        return Policy()
    settings = load(file)
    for key in sorted(settings.said.keys() - _KEYS):
        keys = ", ".join(f"`{each}`" for each in sorted(_KEYS))
        raise ConfigError(settings.source or file, f"`{key}`: a policy says nothing but {keys}", key=key)
    return Policy(settings.enforce, settings.require_reason, settings.fail_on if "fail-on" in settings.said else ())
