"""A run as text, so that two runs can be compared to the last part."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, cast

from ddl_lint.analysis.interpreter.run_state import RunState
from ddl_lint.analysis.values.conditions import Condition, in_order
from ddl_lint.program import code
from ddl_lint.program.trace import Context, Run
from ddl_lint.program.values import Alternatives, Cells, Fact, Object, Variables

UNSEEN = frozenset({"budget", "deadline", "stack", "asked", "facts", "ordered", "called_steps"})
"""What of the state of a run nobody can tell afterwards: it was given, depends on the clock, is over, or is computed
from the rest."""

_PLAIN = (str, int, float, bytes, complex, bool, type(None), type(...), Fact)


class RunAsData:
    """A run as lines of text: objects and circumstances are numbered in the order in which they are come to.

    Two runs have the same lines if nobody can tell them apart. A line is short: `shown` tells what parts of it are.
    """

    def __init__(self, run: Run, state: RunState | None = None, *, keeps_text: bool = False) -> None:
        """`state` is what the run remembered at its end."""
        self._run = run
        self._state = state
        self._texts: dict[str, str] | None = {} if keeps_text else None
        self._numbers: dict[int, int] = {}
        self._known: dict[int, str] = {}
        self._held: list[object] = []
        """What has a number, or is known: as long as it is held, nothing else has its identity."""

        self._waiting: list[Object] = []
        self._objects: list[Object] = []
        self.lines: list[str] = []
        self._take_in()

    def _take_in(self) -> None:
        run, lines = self._run, self.lines
        lines.append(f"{run.kind} {run.module} {run.function} {self._part(run.cut)}")
        for logs in (run.events, run.exits, run.rescues, run.spellings, run.unseen_training):
            lines += [self._part(each) for each in logs]
        for others in (run.refused, run.hidden_calls, run.unseen_calls, run.unseen_work, sorted(run.foreign_calls)):
            lines += [self._part(each) for each in others]
        lines += [f"back {self._part(made)} {self._part(around)}" for made, around in run.escaped_to_caller.items()]
        lines += [f"carried {self._part(value)} {self._part(change)}" for value, change in run.carried.items()]
        if self._state is not None:
            names = [each.name for each in fields(RunState) if each.name not in UNSEEN]
            lines += [f"{name}: {self._sorted(getattr(self._state, name))}" for name in names]
        history: dict[Object, list[tuple[Fact, list[tuple[int, Any]]]]] = {}
        for (made, fact), entries in run.heap._history.items():
            history.setdefault(made, []).append((fact, entries))
        while self._waiting:
            made = self._waiting.pop()
            lines.append(f"object {self._fields(made)}")
            stored = run.heap.attributes(made)
            lines += [f"  .{self._part(name)} {self._part(value)}" for name, value in stored.items()]
            for fact in Fact:
                if (value := run.heap.get(made, fact)) is not None:
                    lines.append(f"  {fact.value} {self._part(value)}")
            for fact, entries in sorted(history.get(made, ()), key=lambda each: each[0].value):
                lines.append(f"  {fact.value} was {[(moment, self._part(value)) for moment, value in entries]}")
        ages = [made.number for made in self._objects]
        lines.append(f"oldest first: {sorted(range(len(ages)), key=ages.__getitem__)}")

    def _sorted(self, part: object) -> str:
        """What a run remembers under keys, in whichever order it has come to them."""
        if not isinstance(part, Mapping):
            return self._part(part)
        pairs = cast("Mapping[object, object]", part).items()
        return str(sorted(f"{self._part(key)}: {self._part(value)}" for key, value in pairs))

    def shown(self, line: str, depth: int = 4) -> str:
        """A line with what its parts are made of."""
        texts = self._texts or {}
        for _ in range(depth):
            for name in {word.strip("()[],'") for word in line.replace("=", " ").split()}:
                if name in texts:
                    line = line.replace(name, texts[name])
        return line

    def _part(self, part: object) -> str:
        if isinstance(part, _PLAIN):
            return repr(part)
        if isinstance(part, code.Node):
            return f"{type(part).__name__}@{part.start}-{part.end}{getattr(part, 'qualname', '')}"
        known = self._known.get(id(part))
        if known is None:
            self._held.append(part)
            if isinstance(part, (Object, Context, Cells)):
                known = self._numbered(part)
            else:
                text = self._text(part)
                known = self._known[id(part)] = f"<{hashlib.sha256(text.encode()).hexdigest()[:12]}>"
                if self._texts is not None:
                    self._texts[known] = text
        return known

    def _numbered(self, part: Object | Context | Cells) -> str:
        name = f"<{type(part).__name__} {len(self._numbers)}>"
        self._numbers[id(part)] = len(self._numbers)
        self._known[id(part)] = name
        if isinstance(part, Object):
            self._waiting.append(part)
            self._objects.append(part)
        elif isinstance(part, Context):
            around = "" if part.parent is None else self._part(part.parent)
            self.lines.append(f"{name} {around} {self._fields(part, ('parent',))}")
        elif isinstance(part.names, Variables) and part.names.module:
            self.lines.append(f"{name} {part.names.module}")
        else:
            bound = part.names.bound if isinstance(part.names, Variables) else {}
            around = "" if part.outer is None else self._part(part.outer)
            self.lines.append(f"{name} {around} {part.closed_over} {self._text(part.names)} {self._text(bound)}")
        return name

    def _text(self, part: object) -> str:
        if isinstance(part, Alternatives):
            return " | ".join(f"{self._labels(labels)}: {self._part(option)}" for labels, option in part.options)
        if isinstance(part, Mapping):
            pairs = cast("Mapping[Any, Any]", part).items()
            return "{" + ", ".join(f"{self._part(key)}: {self._part(value)}" for key, value in pairs) + "}"
        if isinstance(part, (set, frozenset)):
            return "{" + ", ".join(sorted(self._part(each) for each in cast("set[object]", part))) + "}"
        if isinstance(part, (list, tuple)):
            inner = ", ".join(self._part(each) for each in cast("Sequence[object]", part))
            return f"{type(cast(object, part)).__name__}({inner})"
        if not is_dataclass(part):
            text = repr(part)
            if " at 0x" in text:
                raise TypeError(f"no text tells what {text} is")
            return text
        return self._fields(part)

    def _labels(self, labels: frozenset[Condition]) -> str:
        return " and ".join(f"{self._part(value)} {truth}" for value, truth in in_order(labels))

    def _fields(self, part: object, without: Iterable[str] = ()) -> str:
        """All fields but those that are computed of others; also those that do not count when it is compared."""
        names = [each.name for each in fields(cast(Any, part)) if each.init and each.name not in without]
        return f"{type(part).__name__}(" + " ".join(f"{n}={self._part(getattr(part, n))}" for n in names) + ")"
