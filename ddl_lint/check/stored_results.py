"""What the rules said of runs, on disk: after a change, a new process follows only what the change concerns.

A unit is found again if the modules that it was made of are the same, or if what they were is still known: then whoever
asks decides whether the changes concern it. Of each place the last few are kept, for who undoes a change or goes from
branch to branch.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any, Final, cast

from ddl_lint import finding
from ddl_lint.analysis.dependence import Question, Reads
from ddl_lint.analysis.ranks import found_divergences
from ddl_lint.analysis.result_cache import CachedResult, CacheKey, State
from ddl_lint.analysis.syntactic.per_file import questions
from ddl_lint.check.rule_runner import RunResult
from ddl_lint.domain.file_names import FileName
from ddl_lint.domain.files import RunFiles
from ddl_lint.program import code
from ddl_lint.program.followed import Coverage
from ddl_lint.project.contents import Contents
from ddl_lint.project.inputs import content_of
from ddl_lint.registry.rules import Rule
from ddl_lint.source.span import Location, Span
from ddl_lint.storage import Codec, Storage, description, digest, stamp

_UNITS: Final = "units"
_CLASSES = (
    *(RunResult, Location, Coverage, finding.RuleFinding, finding.Finding, finding.Evidence, finding.Edit, finding.Fix),
    *(finding.JobOfFinding, Span),
    *(finding.Severity, finding.Confidence, finding.Applicability),
)
_HOMES: Final = frozenset({"ddl_lint.analysis.queries.engine_configs", "ddl_lint.source.nodes"})
"""Modules of what rules share and publish; imported when there is some."""

_MOST: Final = 4
"""So many units of one place are kept, the last ones."""

_OURS: Final = ("ddl_lint.analysis.", "ddl_lint.fixes.")
"""Where questions are asked, beside rules."""

Outside = Callable[[], Mapping[str, object]]
"""The files that were looked at beside programs, each with its state: a digest, or a `stamp`."""


def state_of(path: str, like: object) -> object:
    """The state of a file now, of the kind that another one is."""
    return content_of(path) if isinstance(like, str) else stamp(path)


def codec_for(rules: Iterable[Rule]) -> Codec:
    """Writes and reads what some rules said, with what these publish."""
    homes = {rule.module for rule in rules if rule.module} | _HOMES
    return Codec((*_CLASSES, FileName, RunFiles, found_divergences.Called, found_divergences.OneSidedCall), homes)


class _Gone(Exception):
    """What a module was when a unit was made of it is not known any more."""


class StoredUnits:
    """The units of one project."""

    def __init__(
        self, storage: Storage, root: str, context: str, files: Contents, outside: Outside, rules: Sequence[Rule]
    ) -> None:
        """`context` is a name for all that units depend on beside what they say themselves; `outside` are the files
        that this process looks at beside programs; `rules` are those whose results are kept.
        """
        self._storage = storage
        self._root = root
        self._context = context
        self._files = files
        self._outside = outside
        self._outsides: dict[str, Mapping[str, object] | None] = {}
        self._homes = {rule.module for rule in rules if rule.module}
        self._codec = codec_for(rules)
        self._texts: dict[str, str] = {}
        self._earlier: dict[tuple[str, str], code.Module | None] = {}
        self._tables: dict[str, Mapping[str, str] | None] = {}
        self._table_names: dict[frozenset[str], str] = {}

    def find(self, place: CacheKey, before: object, state: State) -> CachedResult[RunResult] | None:
        """A unit of a place, of which all is as it was but for the programs: `read` and `asked` hold those that it was
        made of. That which was made of the present ones comes first. `before` is plain data.
        """
        wanted = digest(description(before))
        changed: CachedResult[RunResult] | None = None
        for key in self._kept(place):
            plain = self._read("unit", key)
            try:
                if plain is None or plain["before"] != wanted or not self._is_outside(plain["outside"]):
                    continue
                cached = self._unit(plain, state)
            except (_Gone, KeyError, TypeError, ValueError):  # of another version of ours, or damaged
                continue
            if all(state.module(name) is module for name, module in cached.read.items()):
                return cached
            changed = changed or cached
        return changed

    def keep(self, place: CacheKey, before: object, cached: CachedResult[RunResult], state: State) -> None:
        """Keep a unit, unless it is made of texts that are in no file."""
        reads = self._plain(cached.reads) if cached.reads is not None else None
        names = frozenset(cached.read)
        asked = {name: frozenset(module.name for module in modules) for name, modules in cached.asked.items()}
        modules = (module for name in names.union(*asked.values()) for module in [state.module(name)] if module)
        if reads is None or any(not self._text(module) for module in modules):
            return
        entered = (state.place_of(function) for function in cached.entered)
        inherited = ((state.place_of(function), was) for function, was in cached.inherited.items())
        plain: dict[str, Any] = {
            "before": digest(description(before)),
            "outside": self._noted_outside(),
            "read": self._table(names, state),
            "words": self._words(names, state),
            "asked": {name: self._table(each, state) for name, each in asked.items()},
            "reads": reads,
            "texts": tuple(cached.texts),
            "lines": cached.lines,
            "entered": tuple(sorted(each for each in entered if each is not None)),
            "inherited": tuple(sorted((place, was) for place, was in inherited if place is not None)),
            "programs": cached.programs,
            "verdicts": cached.run_results,
        }
        key = digest(*place, plain["before"], plain["outside"], plain["read"], *sorted(plain["asked"].values()))
        self._write("unit", key, value=plain)
        self._write("kept", *place, value=(key, *(each for each in self._kept(place) if each != key))[:_MOST])

    @property
    def looked_at(self) -> Mapping[str, object]:
        """The files beside programs on which the units depend that were found, with their states."""
        found = (each for each in self._outsides.values() if each is not None)
        return {path: state for each in found for path, state in each.items()}

    def _kept(self, place: CacheKey) -> Sequence[str]:
        """The units of a place, the last one first."""
        kept: Any = self._read("kept", *place)
        return cast("Sequence[str]", kept) if isinstance(kept, tuple) else ()

    def _is_outside(self, name: str) -> bool:
        """Whether what was looked at beside programs is as it was."""
        if name not in self._outsides:
            known: Mapping[str, object] | None = self._read("outside", name)
            is_same = known is not None and all(state_of(path, state) == state for path, state in known.items())
            self._outsides[name] = known if is_same else None
        return self._outsides[name] is not None

    def _noted_outside(self) -> str:
        """The name under which it is kept what this process has looked at."""
        states = self._outside()
        name = digest(description(states))
        if name not in self._outsides:
            self._outsides[name] = states
            self._write("outside", name, value=dict(states))
        return name

    # --- what a unit is made of -------------------------------------------------------------------------------

    def _unit(self, plain: Mapping[str, Any], state: State) -> CachedResult[RunResult]:
        """A unit as it was. Raises `_Gone` where that is not known, or cannot be the same."""
        read = self._modules(plain["read"], state)
        if self._words(read, state) != plain["words"]:
            raise _Gone
        asked = {name: self._modules(table, state) for name, table in plain["asked"].items()}
        functions = (state.function_at(place) for place in plain["entered"])
        inherited = [(function, was) for place, was in plain["inherited"] if (function := state.function_at(place))]
        if len(inherited) < len(plain["inherited"]):
            raise _Gone
        return CachedResult(
            plain["verdicts"],
            read,
            {name: tuple(each for each in modules.values() if each is not None) for name, modules in asked.items()},
            None,
            frozenset(function for function in functions if function is not None),
            {},
            plain["programs"],
            texts=frozenset(plain["texts"]),
            lines=plain["lines"],
            reads=self._reads(plain["reads"]),
            inherited=dict(inherited),
        )

    def _plain(self, reads: Reads) -> tuple[object, ...] | None:
        """What was read, as plain data; None where somebody has asked what another process cannot ask again."""
        answers: dict[str, tuple[tuple[str, str, int | None], ...]] = {}
        for name, asked in reads.answers.items():
            named = sorted(
                ((each.__module__, each.__qualname__, number) for each, number in asked), key=lambda each: repr(each)
            )
            if any(questions.get((module, question)) is None for module, question, _ in named):
                return None
            answers[name] = tuple(named)
        return dict(reads.functions), tuple(sorted(reads.words)), answers

    def _reads(self, plain: Sequence[Any]) -> Reads:
        functions, words, answers = plain
        asked = {
            name: tuple((self._question(module, question), number) for module, question, number in each)
            for name, each in answers.items()
        }
        return Reads(functions, frozenset(words), asked)

    def _question(self, module: str, name: str) -> Question:
        """A question by its name. Raises `_Gone` where there is none of that name any more."""
        if (module, name) not in questions and (module.startswith(_OURS) or self._is_of_rule(module)):
            import_module(module)
        try:
            return questions[module, name]
        except KeyError:
            raise _Gone from None

    def _is_of_rule(self, module: str) -> bool:
        return any(module == home or module.startswith(home.rpartition(".")[0] + ".") for home in self._homes)

    def _modules(self, table: str, state: State) -> dict[str, code.Module | None]:
        """The modules of a table as they were: the present ones where these are the same."""
        if table not in self._tables:
            self._tables[table] = self._read("texts", table)
        texts = self._tables[table]
        if texts is None:
            raise _Gone
        return {name: self._was(name, text, state) for name, text in texts.items()}

    def _was(self, name: str, text: str, state: State) -> code.Module | None:
        module = state.module(name)
        if module is None or not text or self._text(module) == text:
            if (module is None) is not (not text):
                raise _Gone
            return module
        if (name, text) not in self._earlier:
            self._earlier[name, text] = self._files.earlier(module, text)
        earlier = self._earlier[name, text]
        if earlier is None:
            raise _Gone
        return earlier

    def _text(self, module: code.Module) -> str:
        """The name of what a module is now; empty where that is in no file."""
        if module.path not in self._texts:
            self._texts[module.path] = self._files.digest_of(module.path)
        return self._texts[module.path]

    def _table(self, names: frozenset[str], state: State) -> str:
        """The name under which it is kept what some modules are now."""
        if names not in self._table_names:
            modules = {name: state.module(name) for name in sorted(names)}
            texts = {name: self._text(module) if module is not None else "" for name, module in modules.items()}
            key = digest(*(part for pair in texts.items() for part in pair))
            if key not in self._tables:
                self._tables[key] = texts
                self._write("texts", key, value=texts)
            self._table_names[names] = key
        return self._table_names[names]

    def _words(self, names: Iterable[str], state: State) -> str:
        """A name for the words of modules that decide what of them is followed again."""
        modules = (state.module(name) for name in sorted(names))
        return digest(*(_joined(state.relevant_words(module)) for module in modules if module is not None))

    # --- entries ----------------------------------------------------------------------------------------------

    def _read(self, *key: str) -> Any:
        data = self._storage.read(_UNITS, self._key(*key))
        if data is None:
            return None
        try:
            return self._codec.decode(zlib.decompress(data))
        except (ValueError, zlib.error):
            return None

    def _write(self, *key: str, value: object) -> None:
        try:
            data = self._codec.encode(value)
        except ValueError:  # a rule of somebody else may say what we do not know
            return
        self._storage.write(_UNITS, self._key(*key), zlib.compress(data, 1))

    def _key(self, *key: str) -> str:
        return digest(self._root, self._context, *key)


@lru_cache(maxsize=4096)
def _joined(words: frozenset[str]) -> str:
    return digest(" ".join(sorted(words)))
