"""What was followed of a project, and what was not: reported beside the findings."""

from __future__ import annotations

from dataclasses import dataclass

from ddl_lint.source.span import Location


@dataclass(frozen=True)
class Budget:
    """What following one script may cost: `steps` are statements, `seconds` CPU time. The steps end a run at the same
    place each time; the seconds are for what was not foreseen.
    """

    steps: int = 40_000
    seconds: float = 60.0

    @property
    def library_steps(self) -> int:
        """The statements of what no script reaches, from one function or class."""
        return self.steps * 3 // 20

    @property
    def module_steps(self) -> int:
        """The statements of the top level of one module."""
        return self.steps // 2


@dataclass(frozen=True)
class Coverage:
    """What became of one entry, of a library module, or of a file that was not followed.

    `kind` is that of the entry, `library` for code that no entry reaches, `none` for a file that was not followed.
    `hidden` is a call that cannot be seen in a script in which nothing else was found, `hides_work` whether ranks may
    meet in it; `cut` says where a script was
    left that was not followed to its end, such as "40000 statements in `fit`".
    """

    path: str
    kind: str
    entry: str
    followed: bool
    reason: str
    hidden: Location | None = None
    hides_work: bool = False
    cut: str = ""
