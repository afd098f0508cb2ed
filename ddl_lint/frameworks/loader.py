"""Reads API models from YAML. A mistake is a `ModelError` that says where it is and what would be right."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

import yaml
from yaml.constructor import ConstructorError, SafeConstructor

from ddl_lint.frameworks.errors import ModelError
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.frameworks.model import (
    BACKEND_HOLES,
    CALLED,
    CONVENTION_NAMES,
    DEVICE_KINDS,
    FACILITIES,
    HOME,
    IDIOMS,
    OBJECT_KINDS,
    RETURN_CHOICES,
    RETURN_KINDS,
    RETURN_WORDS,
    TENSOR_FACTS,
    TENSOR_NAMES,
    TRAITS,
    ApiModel,
    Backend,
    ClassModel,
    Condition,
    ConstantModel,
    Conventions,
    FrameworkModels,
    FunctionModel,
    Hooks,
    Ineffective,
    Parameter,
    ParameterKind,
    Question,
    Registers,
    Returns,
    Starts,
)
from ddl_lint.program.events import NEVER_COLLECTIVE, USUALLY_COLLECTIVE, CollectiveWhen, EventKind
from ddl_lint.program.job_choices import CHOOSERS, ENGINES, JobChoice
from ddl_lint.program.kinds import EVENT_ROLES

_T = TypeVar("_T")

FILE_KEYS = (
    *("framework", "title", "packages", "modules", "families", "functions", "classes", "constants"),
    *("idioms", "idioms_like", "spellings", "own_group", "backends", "tensors"),
)
CONVENTION_KEYS = ("environment", "names", "helpers")
_VERSION_KEYS = ("since", "deprecated", "removed")
_CALL_KEYS = (
    *("parameters", "event", "roles", "constants", "requires", "provides", "starts", "registers", "calls"),
    "interrupts",
    *(
        "mutates",
        "uniform",
        "places",
        "collective_when",
        "collective_since",
        "documents",
        "ineffective",
        *_VERSION_KEYS,
    ),
)
METHOD_KEYS = (*_CALL_KEYS, "returns", "tensor", "traits")
FUNCTION_KEYS = (*METHOD_KEYS, "also", "same_as")
CLASS_KEYS = (*_CALL_KEYS, "also", "same_as", "bases", "kind", "attributes", "traits", "callable", "methods", "hooks")
BACKEND_KEYS = (
    *("devices", "matches_tags", "assigns_ranks", "carries", "waiting", "joining", "patience", "operations"),
)
CONSTANT_KEYS = ("also", "kind", "value")

COLLECTIVE_WORDS = (*(word.value for word in CollectiveWhen), NEVER_COLLECTIVE)

_RENAMED = {
    "together": "collective_when",
    "buffers": "has_buffers",
    "statistics": "saves_metrics",
    "strategy": "multi_worker_strategy",
    "take_over": "delegate",
    "occupy_devices": "use_all_devices",
    "mix_up": "rebind_swapped",
    "draw": "next_element",
}
"""Words that models were written in before -> what they are called now."""

_PLAIN_TYPES = (str, bool, int, float, type(None))
DOTTED_NAME = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")
VERSION = re.compile(r"\d+(\.\d+)*")

# PyYAML's functions without their unknown types.
_compose = cast("Callable[..., yaml.Node | None]", yaml.compose)  # pyright: ignore[reportUnknownMemberType]
_construct = cast("Callable[[yaml.Node], object]", SafeConstructor().construct_document)  # pyright: ignore[reportUnknownMemberType]


def load_models(texts: Mapping[str, str], base: ApiIndex | None = None) -> tuple[FrameworkModels, ...]:
    """Read files of API models; `texts` maps the name of a file, as errors shall show it, to its content.

    The files may refer to each other in any order, and to what `base` knows.
    Raises `ModelError` for the first mistake found.
    """
    roots = [_Node.of_text(file, text) for file, text in texts.items()]
    scope = _Scope(roots, base)
    frameworks = tuple(_framework(root, scope) for root in roots)
    drafts = {name: draft for draft_models in scope.drafts for name, draft in draft_models.items()}
    finished = _Inheritance(drafts, scope)
    return tuple(
        replace(framework, models={name: finished.model(name) for name in framework.models}) for framework in frameworks
    )


def parse_parameters(signature: str) -> tuple[Parameter, ...]:
    """Parse a signature as Python writes it, without parentheses: `tensor, src=None, *, group=None`.

    A default that is not a literal is written `...`. Raises ValueError with a message for people.
    """
    try:
        (function,) = ast.parse(f"def f({signature}): pass").body
    except (SyntaxError, ValueError) as error:
        raise ValueError(f"{signature!r} is not a list of parameters as Python writes it") from error
    if not isinstance(function, ast.FunctionDef):
        raise ValueError(f"{signature!r} is not a list of parameters as Python writes it")
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args]
    missing: list[ast.expr | None] = [None] * (len(named) - len(arguments.defaults))
    parameters = [
        _parameter(argument, default, "positional")
        for argument, default in zip(named, [*missing, *arguments.defaults], strict=True)
    ]
    if arguments.vararg:
        parameters.append(Parameter(arguments.vararg.arg, (), False, "var_positional"))
    parameters += [
        _parameter(argument, default, "keyword")
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    if arguments.kwarg:
        parameters.append(Parameter(arguments.kwarg.arg, None, False, "var_keyword"))
    return tuple(parameters)


def _parameter(argument: ast.arg, default: ast.expr | None, kind: ParameterKind) -> Parameter:
    if default is None:
        return Parameter(argument.arg, None, True, kind)
    try:
        return Parameter(argument.arg, ast.literal_eval(default), False, kind)
    except ValueError as error:
        text = ast.unparse(default)
        raise ValueError(
            f"the default of {argument.arg!r}, {text}, is not a literal; write {argument.arg}=..."
        ) from error


# --- reading nodes ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Node:
    """A YAML node that knows its place."""

    file: str
    key: str
    node: yaml.Node

    @staticmethod
    def of_text(file: str, text: str) -> _Node:
        try:
            node: yaml.Node | None = _compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        except yaml.MarkedYAMLError as error:
            line = error.problem_mark.line + 1 if error.problem_mark else 0
            raise ModelError(file, line, "", f"not valid YAML: {error.problem or error.context}") from error
        except yaml.YAMLError as error:
            raise ModelError(file, 0, "", f"not valid YAML: {error}") from error
        if node is None:
            raise ModelError(file, 0, "", "the file is empty")
        return _Node(file, "", node)

    @property
    def line(self) -> int:
        return self.node.start_mark.line + 1

    def error(self, problem: str) -> ModelError:
        return ModelError(self.file, self.line, self.key, problem)

    def unknown(self, what: str, word: str, known: Iterable[str]) -> ModelError:
        """An error that says what the word is called now, or the nearest right one."""
        known = set(known)
        if _RENAMED.get(word) in known:
            return self.error(f"{what} {word!r} is now called {_RENAMED[word]!r}")
        near = difflib.get_close_matches(word, sorted(known), n=1, cutoff=0.5)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        return self.error(f"unknown {what} {word!r}{hint}")

    def mapping(self, what: str, keys: Iterable[str] | None = None) -> dict[str, _Node]:
        """The entries of a mapping; no key twice, and none but `keys` where they are given."""
        if not isinstance(self.node, yaml.MappingNode):
            raise self.error("expected a mapping")
        entries: dict[str, _Node] = {}
        known = None if keys is None else tuple(keys)
        pairs: list[tuple[yaml.Node, yaml.Node]] = self.node.value
        for key_node, value_node in pairs:
            name = str(key_node.value) if isinstance(key_node, yaml.ScalarNode) else ""
            at_key = _Node(self.file, f"{self.key}.{name}" if self.key else name, key_node)
            if not isinstance(key_node, yaml.ScalarNode):
                raise self.error("a key must be a plain word")
            if name in entries:
                raise at_key.error(f"duplicate {what} {name!r}, first on line {entries[name].line}")
            if known is not None and name not in known:
                raise at_key.unknown(what, name, known)
            entries[name] = _Node(self.file, at_key.key, value_node)
        return entries

    def items(self) -> list[_Node]:
        """The items of a list."""
        if not isinstance(self.node, yaml.SequenceNode):
            raise self.error("expected a list")
        nodes: list[yaml.Node] = self.node.value
        return [_Node(self.file, f"{self.key}[{number}]", node) for number, node in enumerate(nodes)]

    def is_mapping(self) -> bool:
        return isinstance(self.node, yaml.MappingNode)

    def is_list(self) -> bool:
        return isinstance(self.node, yaml.SequenceNode)

    def is_null(self) -> bool:
        return self.node.tag == "tag:yaml.org,2002:null"

    def literal(self) -> Any:
        """The value as Python data; lists become tuples."""
        if self.is_list():
            return tuple(item.literal() for item in self.items())
        if self.is_mapping():
            return {name: entry.literal() for name, entry in self.mapping("key").items()}
        try:
            value: object = _construct(self.node)
        except (ConstructorError, ValueError) as error:
            raise self.error("not a text, a number, true, false or null") from error
        if not isinstance(value, _PLAIN_TYPES):
            raise self.error(f"{value!r} is not a text, a number, true, false or null; put it in quotes")
        return value

    def text(self) -> str:
        value = self.literal()
        if not isinstance(value, str):
            raise self.error(f"expected a word, not {value!r}; put it in quotes if it is meant as text")
        return value

    def number(self) -> int:
        value = self.literal()
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.error(f"expected a number, not {value!r}")
        return value

    def flag(self) -> bool:
        value = self.literal()
        if not isinstance(value, bool):
            raise self.error(f"expected true or false, not {value!r}")
        return value

    def texts(self) -> tuple[str, ...]:
        return tuple(item.text() for item in self.items())

    def word(self, what: str, known: Iterable[str]) -> str:
        """A word of a vocabulary."""
        text, words = self.text(), tuple(known)
        if text not in words:
            raise self.unknown(what, text, words)
        return text

    def words(self, what: str, known: Iterable[str]) -> tuple[str, ...]:
        """One word of a vocabulary or a list of them."""
        words = tuple(known)
        return tuple(item.word(what, words) for item in (self.items() if self.is_list() else [self]))

    def dotted(self) -> str:
        text = self.text()
        if not DOTTED_NAME.fullmatch(text):
            raise self.error(f"{text!r} is not a dotted name")
        return text


_NO_ENTRIES: Mapping[str, _Node] = {}


class _Scope:
    """All names that the files of one load, and the index below them, know."""

    def __init__(self, roots: Iterable[_Node], base: ApiIndex | None) -> None:
        self.base = base
        self.drafts: list[dict[str, _Draft]] = []
        self._places: dict[str, _Node] = {}
        self._canonical: dict[str, str] = {}
        self._classes: set[str] = set()
        self._functions: set[str] = set()
        self._modules: dict[str, str] = {}
        for root in roots:
            self._read(root)

    def class_name(self, node: _Node) -> str:
        """The canonical name of the class that a node names."""
        name = node.dotted()
        known = self._resolve(name, self._classes, lambda index: index.class_(name))
        if known is None:
            raise node.unknown("class", name, self._all(self._classes, ClassModel))
        return known

    def function_name(self, node: _Node) -> str:
        """The canonical name of the function that a node names."""
        name = node.dotted()
        known = self._resolve(name, self._functions, lambda index: index.function(name))
        if known is None:
            raise node.unknown("function", name, self._all(self._functions, FunctionModel))
        return known

    def is_class(self, name: str) -> bool:
        return self._resolve(name, self._classes, lambda index: index.class_(name)) is not None

    def _all(self, names: set[str], kind: type[ApiModel]) -> set[str]:
        if self.base is None:
            return names
        return names | {name for name, model in self.base.models.items() if isinstance(model, kind)}

    def _resolve(self, name: str, names: set[str], ask: Callable[[ApiIndex], ApiModel | None]) -> str | None:
        canonical = self._canonical.get(name, name)
        if canonical in names:
            return canonical
        module, _, rest = name.rpartition(".")
        if module in self._modules and f"{self._modules[module]}.{rest}" in names:
            return f"{self._modules[module]}.{rest}"
        model = None if self.base is None else ask(self.base)
        return None if model is None else model.name

    def _read(self, root: _Node) -> None:
        entries = root.mapping("key", (*FILE_KEYS, *CONVENTION_KEYS))
        if "modules" in entries:
            for name, target in entries["modules"].mapping("module").items():
                self._modules[name] = target.dotted()
        for section, names in (("functions", self._functions), ("classes", self._classes), ("constants", None)):
            if section not in entries:
                continue
            for name, entry in entries[section].mapping("name").items():
                if not DOTTED_NAME.fullmatch(name):
                    raise entry.error(f"{name!r} is not a dotted name")
                self._claim(name, name, entry)
                if names is not None:
                    names.add(name)
                if entry.is_mapping():
                    also = entry.mapping("key").get("also")
                    for other in also.items() if also else ():
                        self._claim(other.dotted(), name, other)

    def _claim(self, name: str, canonical: str, node: _Node) -> None:
        if name in self._places:
            first = self._places[name]
            raise node.error(f"duplicate name {name!r}, first in {first.file}:{first.line}")
        self._places[name] = node
        self._canonical[name] = canonical


# --- building models -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Draft:
    """A model before it has taken over what its bases, or the model it equals, say."""

    model: ApiModel
    given: frozenset[str]
    node: _Node
    same_as: str | None = None


def _framework(root: _Node, scope: _Scope) -> FrameworkModels:
    entries = root.mapping("key", (*FILE_KEYS, *CONVENTION_KEYS))
    drafts: dict[str, _Draft] = {}
    also: dict[str, str] = {}
    for section, build in (("functions", _function), ("classes", _class), ("constants", _constant)):
        for name, entry in _entries(entries.get(section), "name").items():
            drafts[name] = build(name, entry, scope)
            if entry.is_mapping() and "also" in (keys := entry.mapping("key")):
                also.update((other.dotted(), name) for other in keys["also"].items())
    scope.drafts.append(drafts)
    stem = root.file.replace("\\", "/").rpartition("/")[2].partition(".")[0]
    framework = entries["framework"].text() if "framework" in entries else stem
    if "packages" in entries:
        packages = entries["packages"].texts()
    else:
        packages = tuple(sorted({name.partition(".")[0] for name in [*drafts, *also]}))
    return FrameworkModels(
        framework=framework,
        title=entries["title"].text() if "title" in entries else framework,
        packages=packages,
        models={name: draft.model for name, draft in drafts.items()},
        also=also,
        modules=_modules(entries.get("modules")),
        families={
            _pattern_of(name, node): _member(node, scope)
            for name, node in _entries(entries.get("families"), "pattern").items()
        },
        conventions=_conventions(entries),
        backends={name.lower(): _backend(node) for name, node in _entries(entries.get("backends"), "backend").items()},
        tensors={
            name: node.texts() for name, node in _entries(entries.get("tensors"), "list of names", TENSOR_NAMES).items()
        },
        idioms={
            name: _template(node, IDIOMS[name])
            for name, node in _entries(entries.get("idioms"), "idiom", IDIOMS).items()
        },
        idioms_like=entries["idioms_like"].text() if "idioms_like" in entries else "",
        spellings={name: node.text() for name, node in _entries(entries.get("spellings"), "name").items()},
        own_group="own_group" in entries and entries["own_group"].flag(),
    )


def _backend(node: _Node) -> Backend:
    parts = _entries(node, "key", BACKEND_KEYS)
    return Backend(
        devices=parts["devices"].words("kind of device", DEVICE_KINDS) if "devices" in parts else DEVICE_KINDS,
        waiting=_message(parts["waiting"]) if "waiting" in parts else "",
        joining=_message(parts["joining"]) if "joining" in parts else "",
        carries=parts["carries"].texts() if "carries" in parts else (),
        patience=parts["patience"].number() if "patience" in parts else 0,
        operations={name: each.text() for name, each in _entries(parts.get("operations"), "operation").items()},
        **{key: parts[key].flag() for key in ("matches_tags", "assigns_ranks") if key in parts},
    )


def _message(node: _Node) -> str:
    """A text with holes that we can fill."""
    text = node.text()
    for hole in re.findall(r"\{(.*?)\}", text):
        if hole not in BACKEND_HOLES:
            raise node.unknown("hole", hole, BACKEND_HOLES)
    return text


def _pattern_of(text: str, node: _Node) -> str:
    """A regular expression that is written as a key."""
    try:
        re.compile(text)
    except re.error as error:
        raise node.error(f"{text!r} is not a regular expression: {error}") from error
    return text


def _member(node: _Node, scope: _Scope) -> str:
    """The class or function that a node names."""
    return scope.class_name(node) if scope.is_class(node.dotted()) else scope.function_name(node)


def _template(node: _Node, holes: tuple[str, ...]) -> str:
    """Code with holes."""
    text = node.text()
    used = set(_HOLE.findall(text)) - {HOME}
    if used != set(holes):
        wanted = ", ".join(f"{{{hole}}}" for hole in holes) or "none"
        raise node.error(f"the holes of this idiom are {wanted}")
    try:
        ast.parse(_HOLE.sub("hole", text))
    except SyntaxError as error:
        raise node.error(f"is no Python code: {error.msg}") from None
    return text


_HOLE = re.compile(r"\{(\w+)\}")


def _entries(node: _Node | None, what: str, keys: Iterable[str] | None = None) -> Mapping[str, _Node]:
    return _NO_ENTRIES if node is None or node.is_null() else node.mapping(what, keys)


def _modules(node: _Node | None) -> dict[str, str]:
    entries = _entries(node, "module")
    for name, target in entries.items():
        if target.dotted() in entries:
            raise target.error(
                f"{target.text()!r} is itself a module that re-exports; name the module it is an alias of"
            )
        if f"{target.text()}.".startswith(f"{name}."):
            raise target.error(f"{name!r} cannot be an alias of a module inside itself")
    return {name: target.dotted() for name, target in entries.items()}


def _conventions(entries: Mapping[str, _Node]) -> Conventions:
    helpers = {
        name: tuple(_pattern(item) for item in node.items())
        for name, node in _entries(entries.get("helpers"), "facility", FACILITIES).items()
    }
    names = {
        name: tuple(_pattern(item) if name.endswith("_patterns") else item.text() for item in node.items())
        for name, node in _entries(entries.get("names"), "list of names", CONVENTION_NAMES).items()
    }
    environment = {
        name: _returns(node, _Names(None, frozenset()), None)
        for name, node in _entries(entries.get("environment"), "variable").items()
    }
    return Conventions(environment, names, helpers)


def _pattern(node: _Node) -> str:
    text = node.text()
    try:
        re.compile(f"(?:{text})")  # patterns are joined, so that none may set flags for the whole
    except re.error as error:
        raise node.error(f"{text!r} is not a regular expression: {error}") from error
    return text


def _constant(name: str, node: _Node, scope: _Scope) -> _Draft:
    entries = _entries(node, "key", CONSTANT_KEYS)
    kind = entries["kind"].word("object kind", OBJECT_KINDS) if "kind" in entries else "other"
    value = entries["value"].literal() if "value" in entries else None
    return _Draft(ConstantModel(name, kind, value), frozenset(entries), node)


def _function(name: str, node: _Node, scope: _Scope) -> _Draft:
    entries = _entries(node, "key", FUNCTION_KEYS)
    same_as = scope.function_name(entries["same_as"]) if "same_as" in entries else None
    if same_as is not None:
        _allow_with_same_as(entries)
    return _Draft(_call(name, node, entries, scope, (), same_as is not None), frozenset(entries), node, same_as)


def _class(name: str, node: _Node, scope: _Scope) -> _Draft:
    entries = _entries(node, "key", CLASS_KEYS)
    same_as = scope.class_name(entries["same_as"]) if "same_as" in entries else None
    if same_as is not None:
        _allow_with_same_as(entries)
    of_call = {key: entry for key, entry in entries.items() if key in _CALL_KEYS}
    constructor = _call(name, node, of_call, scope, (), same_as is not None or "bases" in entries)
    names = _Names(_parameter_names(constructor.parameters), frozenset({"self"}))
    call = None
    if "callable" in entries:
        call_entries = entries["callable"].mapping("key", METHOD_KEYS)
        call = _call(f"{name}.__call__", entries["callable"], call_entries, scope, ("self",))
    methods = {
        method: _call(f"{name}.{method}", entry, _entries(entry, "key", METHOD_KEYS), scope, ("self",))
        for method, entry in _entries(entries.get("methods"), "method").items()
    }
    model = ClassModel(
        name=name,
        constructor=constructor,
        bases=tuple(scope.class_name(item) for item in entries["bases"].items()) if "bases" in entries else (),
        kind=entries["kind"].word("object kind", OBJECT_KINDS) if "kind" in entries else "other",
        attributes={
            attribute: _returns(entry, names, scope)
            for attribute, entry in _entries(entries.get("attributes"), "attribute").items()
        },
        traits=_traits(entries.get("traits"), None),
        call=call,
        methods=methods,
        hooks=_hooks(entries["hooks"], scope) if "hooks" in entries else None,
    )
    return _Draft(model, frozenset(entries), node, same_as)


def _allow_with_same_as(entries: Mapping[str, _Node]) -> None:
    for name, entry in entries.items():
        if name not in ("same_as", "also", "parameters", "roles"):
            raise entry.error("cannot be combined with 'same_as', which takes everything from the other model")


def _hooks(node: _Node, scope: _Scope) -> Hooks:
    parts = node.mapping("key", ("pattern", "arguments"))
    if "pattern" not in parts:
        raise node.error("needs a 'pattern' of names")
    arguments = parts["arguments"].items() if "arguments" in parts else []
    return Hooks(
        _pattern(parts["pattern"]), tuple(_returns(item, _Names((), frozenset()), scope) for item in arguments)
    )


def _traits(node: _Node | None, known: _Names | None) -> dict[str, Any]:
    """The traits; `known` are the arguments that conditions may ask about, None for those that an object was made with
    in whatever way."""
    traits: dict[str, Any] = {}
    for name, entry in _entries(node, "trait", TRAITS).items():
        if entry.is_mapping() and TRAITS[name] is bool:
            traits[name] = _condition(entry, known)
            continue
        traits[name] = entry.literal()
        if not isinstance(traits[name], TRAITS[name]):
            raise entry.error(f"expected a {TRAITS[name].__name__}, not {traits[name]!r}")
    return traits


def _condition(node: _Node, known: _Names | None) -> Condition:
    """`{if: {argument.key: value}, unless: {argument: value}, job: {launcher: [zero3]}}`."""
    parts = node.mapping("key", ("if", "unless", "job"))
    if not parts:
        raise node.error("needs 'if', 'unless' or 'job'")
    when, unless = (_questions(parts.get(key), known) for key in ("if", "unless"))
    return Condition(when, unless, _choices(parts["job"]) if "job" in parts else frozenset())


def _choices(node: _Node) -> frozenset[JobChoice]:
    """`{launcher: [fsdp, zero3]}`: who chooses an engine, and which ones are meant."""
    parts = node.mapping("who chooses", CHOOSERS)
    return frozenset(
        (chooser, item.word("engine", ENGINES))
        for chooser in CHOOSERS
        if chooser in parts
        for item in parts[chooser].items()
    )


def _questions(node: _Node | None, known: _Names | None) -> tuple[Question, ...]:
    questions: list[Question] = []
    for path, entry in _entries(node, "argument").items():
        parameter, *rest = path.split(".")
        if known is not None:
            known.check_name(entry, parameter)
        asked = entry.items() if entry.is_list() else [entry]
        questions += [_question(parameter, tuple(rest), item) for item in asked]
    return tuple(questions)


def _question(parameter: str, path: tuple[str, ...], node: _Node) -> Question:
    if not node.is_mapping():
        return Question(parameter, path, node.literal())
    asked = node.mapping("question", ("given", "trait", "above"))
    if len(asked) != 1:
        raise node.error("expected a value, {given: true}, {above: ...}, {trait: ...} or a list of these")
    if "trait" in asked:
        return Question(parameter, path, trait=asked["trait"].word("trait", TRAITS))
    if "above" in asked:
        least = asked["above"].literal()
        if not isinstance(least, int):
            raise asked["above"].error("expected a number")
        return Question(parameter, path, above=least)
    if asked["given"].literal() is not True:
        raise asked["given"].error("expected true")
    return Question(parameter, path, given=True)


@dataclass(frozen=True, slots=True)
class _Names:
    """The names that roles and returns-expressions of one call may use; any, where the signature is not fixed."""

    parameters: tuple[str, ...] | None
    extra: frozenset[str]

    def check(self, node: _Node) -> str:
        return self.check_name(node, node.text())

    def check_name(self, node: _Node, name: str) -> str:
        if self.parameters is not None and name not in self.parameters and name not in self.extra:
            raise node.unknown("parameter", name, (*self.parameters, *self.extra))
        return name

    def check_all(self, node: _Node) -> tuple[str, ...]:
        return tuple(self.check(item) for item in node.items())


def _parameter_names(parameters: tuple[Parameter, ...] | None) -> tuple[str, ...] | None:
    return None if parameters is None else tuple(parameter.name for parameter in parameters)


def _call(
    name: str,
    node: _Node,
    entries: Mapping[str, _Node],
    scope: _Scope,
    extra: tuple[str, ...],
    inherits: bool = False,
) -> FunctionModel:
    """Build what a call means. `inherits`: signature and event may come from elsewhere, later."""
    parameters = _parameters(entries.get("parameters"))
    known = _Names(_parameter_names(parameters), frozenset((*extra, CALLED) if "calls" in entries else extra))
    event, roles, constants = _event(node, entries, known, inherits)
    requires, requires_unless = _requires(entries.get("requires"), known)
    collective_when, collective_if = _collective(entries.get("collective_when"), event, known)
    return FunctionModel(
        name=name,
        parameters=parameters,
        event=event,
        roles=roles,
        constants=constants,
        requires=requires,
        requires_unless=requires_unless,
        provides=frozenset(entries["provides"].words("facility", FACILITIES) if "provides" in entries else ()),
        returns=_returns(entries["returns"], known, scope) if "returns" in entries else None,
        starts=_starts(entries["starts"], known, scope) if "starts" in entries else None,
        registers=_registers(entries["registers"], scope) if "registers" in entries else None,
        calls=_calls(entries["calls"], known) if "calls" in entries else None,
        calls_with=_calls_with(entries["calls"], known, scope) if "calls" in entries else (),
        calls_if=_calls_if(entries["calls"], known) if "calls" in entries else "",
        interrupts=known.check(entries["interrupts"]) if "interrupts" in entries else None,
        uniform=known.check_all(entries["uniform"]) if "uniform" in entries else (),
        mutates=known.check_all(entries["mutates"]) if "mutates" in entries else (),
        collective_when=collective_when,
        collective_if=collective_if,
        documents=_documents(entries.get("documents"), known),
        tensor=_tensor(entries.get("tensor")),
        traits=_traits(entries.get("traits"), known),
        ineffective=_ineffective(entries["ineffective"]) if "ineffective" in entries else None,
        collective_since={
            package: _version(entry) for package, entry in _entries(entries.get("collective_since"), "package").items()
        },
        **{key: _version(entries[key]) for key in _VERSION_KEYS if key in entries},
    )


def _documents(node: _Node | None, known: _Names) -> dict[str, tuple[str, ...]]:
    """Parameter -> the places where it may be given."""
    found: dict[str, tuple[str, ...]] = {}
    for parameter, entry in _entries(node, "parameter").items():
        places = tuple(entry.texts())
        for place in (parameter, *places):
            known.check_name(entry, place.partition(".")[0])
        found[parameter] = places
    return found


def _collective(node: _Node | None, event: str | None, known: _Names) -> tuple[CollectiveWhen | None, Condition | None]:
    """A word, or `{word: condition}`."""
    if node is None:
        return (CollectiveWhen.ALWAYS if event in USUALLY_COLLECTIVE else None), None
    if not node.is_mapping():
        return _collective_when(node.word("condition", COLLECTIVE_WORDS)), None
    entries = node.mapping("condition", COLLECTIVE_WORDS)
    if len(entries) != 1:
        raise node.error("expected one word with its condition")
    ((word, entry),) = entries.items()
    return _collective_when(word), _condition(entry, known)


def _collective_when(word: str) -> CollectiveWhen | None:
    return None if word == NEVER_COLLECTIVE else CollectiveWhen(word)


def _parameters(node: _Node | None) -> tuple[Parameter, ...] | None:
    if node is None:
        return None
    signature = ", ".join(node.texts()) if node.is_list() else node.text()
    try:
        return parse_parameters(signature)
    except ValueError as error:
        raise node.error(str(error)) from error


def _event(
    node: _Node, entries: Mapping[str, _Node], known: _Names, inherits: bool
) -> tuple[EventKind | None, dict[str, str], dict[str, Any]]:
    """The event, its roles and its constants."""
    if "places" in entries:
        return _places(entries, known)
    event_node = entries.get("event")
    if event_node is None or event_node.is_null():
        if not inherits or event_node is not None:
            for key in ("roles", "constants"):
                if key in entries:
                    raise entries[key].error("has no meaning without an 'event'")
        roles = {role: item.text() for role, item in _entries(entries.get("roles"), "role").items()}
        return None, roles, {}
    event = cast("EventKind", event_node.word("event kind", EVENT_ROLES))
    vocabulary = EVENT_ROLES[event]
    constants = {
        role: item.literal()
        for role, item in _entries(entries.get("constants"), f"role of {event}", vocabulary).items()
    }
    given = {
        role: known.check(item) for role, item in _entries(entries.get("roles"), f"role of {event}", vocabulary).items()
    }
    if inherits and known.parameters is None:  # the signature comes later, and equal names with it
        return event, given, constants
    return event, {**_equal_names(event, known.parameters, constants), **given}, constants


def _equal_names(event: EventKind, names: tuple[str, ...] | None, constants: Mapping[str, Any]) -> dict[str, str]:
    """Roles that have a parameter of the same name; any may have one where the signature is not fixed."""
    return {role: role for role in EVENT_ROLES[event] if (names is None or role in names) and role not in constants}


def _places(entries: Mapping[str, _Node], known: _Names) -> tuple[EventKind, dict[str, str], dict[str, Any]]:
    """The shorthand for the event `place`."""
    node = entries["places"]
    for key in ("event", "roles", "constants"):
        if key in entries:
            raise entries[key].error("cannot be combined with 'places', which is an event of its own")
    parts = node.mapping("role of place", (*EVENT_ROLES["place"], "default"))
    if "object" not in parts:
        raise node.error("needs an 'object'")
    roles = {"object": known.check(parts["object"])}
    if "device" not in parts:
        return "place", roles, {}
    device = parts["device"].literal()
    if isinstance(device, str) and device in (known.parameters or ()):
        constants = {"device": parts["default"].literal()} if "default" in parts else {}
        return "place", {**roles, "device": device}, constants
    return "place", roles, {"device": device}


def _requires(node: _Node | None, known: _Names) -> tuple[frozenset[str], dict[str, tuple[str, ...]]]:
    if node is None:
        return frozenset(), {}
    if not node.is_mapping():
        return frozenset(node.words("facility", FACILITIES)), {}
    unless: dict[str, tuple[str, ...]] = {}
    entries = node.mapping("facility", FACILITIES)
    for facility, entry in entries.items():
        conditions = entry.mapping("condition", ("unless_given",))
        if "unless_given" not in conditions:
            raise entry.error("needs 'unless_given'")
        unless[facility] = known.check_all(conditions["unless_given"])
    return frozenset(entries), unless


def _starts(node: _Node, known: _Names, scope: _Scope) -> Starts:
    flags = ("here", "options", "members", "main", "meeting")
    parts = node.mapping("key", ("function", "arguments", "keywords", "leading", "otherwise", *flags))
    if "function" not in parts:
        raise node.error("needs a 'function'")
    return Starts(
        function=known.check(parts["function"]),
        arguments=known.check(parts["arguments"]) if "arguments" in parts else None,
        keywords=known.check(parts["keywords"]) if "keywords" in parts else None,
        leading=tuple(_returns(item, known, scope) for item in parts["leading"].items()) if "leading" in parts else (),
        otherwise=parts["otherwise"].text() if "otherwise" in parts else None,
        **{key: parts[key].flag() for key in flags if key in parts},
    )


def _registers(node: _Node, scope: _Scope) -> Registers:
    parts = node.mapping("key", ("instance",))
    return Registers(scope.class_name(parts["instance"]) if "instance" in parts else None)


_CALLED_KEYS = ("function", "leading", "condition")


def _calls_if(node: _Node, known: _Names) -> str:
    parts = node.mapping("key", _CALLED_KEYS)
    return known.check(parts["condition"]) if "condition" in parts else ""


def _calls(node: _Node, known: _Names) -> str:
    parts = node.mapping("key", _CALLED_KEYS)
    if "function" not in parts:
        raise node.error("needs a 'function'")
    return known.check(parts["function"])


def _ineffective(node: _Node) -> Ineffective:
    parts = node.mapping("key", ("since", "unless_imported", "unless_set"))
    if "since" not in parts:
        raise node.error("needs 'since'")
    return Ineffective(
        {package: _version(entry) for package, entry in parts["since"].mapping("package").items()},
        parts["unless_imported"].texts() if "unless_imported" in parts else (),
        parts["unless_set"].texts() if "unless_set" in parts else (),
    )


def _calls_with(node: _Node, known: _Names, scope: _Scope) -> tuple[Returns, ...]:
    parts = node.mapping("key", _CALLED_KEYS)
    return tuple(_returns(item, known, scope) for item in parts["leading"].items()) if "leading" in parts else ()


def _tensor(node: _Node | None) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    for name, entry in _entries(node, "fact", TENSOR_FACTS).items():
        facts[name] = entry.literal()
        if not isinstance(facts[name], bool):
            raise entry.error(f"expected true or false, not {facts[name]!r}")
    return facts


def _version(node: _Node) -> str:
    value = node.literal()
    if not isinstance(value, str) or not VERSION.fullmatch(value):
        raise node.error(f'expected a version in quotes such as "2.4", not {value!r}')
    return value


def _returns(node: _Node, known: _Names, scope: _Scope | None) -> Returns:
    """Parse a returns-expression."""
    if not node.is_mapping():
        word = node.text()
        if word not in RETURN_WORDS:
            needs_value = f"{word!r} needs a value: {{{word}: ...}}"
            raise node.error(needs_value) if word in RETURN_KINDS else node.unknown("result", word, RETURN_KINDS)
        return Returns(word)
    entries = node.mapping("key")
    kind = next(iter(entries), "")
    if kind not in RETURN_KINDS:
        raise node.unknown("result", kind, RETURN_KINDS)
    entry = entries.pop(kind)
    attributes: dict[str, Returns] = {}
    if kind == "environment" and set(entries) <= {"default"}:
        attributes = {key: Returns("argument", known.check(item)) for key, item in entries.items()}
    elif (
        kind == "instance"
        or (kind == "guarded" and set(entries) <= {"function"})
        or (kind == "argument" and set(entries) <= {"otherwise"})
    ):
        attributes = {key: _returns(item, known, scope) for key, item in entries.items()}
    elif kind == "arguments" and set(entries) <= {"models"} and scope is not None:
        attributes = {key: Returns("instance", scope.class_name(item)) for key, item in entries.items()}
    elif kind == "rank_is" and set(entries) <= {"scope", "default"}:
        scopes = RETURN_CHOICES["rank"]
        for key, item in entries.items():
            word = Returns("rank", item.word(key, scopes)) if key == "scope" else Returns("constant", item.literal())
            attributes[key] = word
    elif kind == "settings" and set(entries) <= {"file", "option"}:
        attributes = {
            key: Returns("argument" if key == "file" else "constant", item.text()) for key, item in entries.items()
        }
    elif kind == "built" and set(entries) <= {"key", "registry"}:
        attributes = {
            key: Returns("constant", item.text()) if key == "key" else Returns("argument", known.check(item))
            for key, item in entries.items()
        }
    elif kind == "table" and not entries:
        return Returns(kind, None, {key: _returns(item, known, scope) for key, item in entry.mapping("key").items()})
    elif kind == "regrouped" and set(entries) == {"as"} and scope is not None:
        attributes = {key: Returns("instance", scope.class_name(item)) for key, item in entries.items()}
    elif kind == "per_rank" and set(entries) <= {"if"}:
        modes = RETURN_CHOICES["flag"]
        attributes = {key: Returns("flag", item.word("flag", modes)) for key, item in entries.items()}
    elif entries:
        raise node.error(f"{kind!r} takes no further key, but found {', '.join(entries)}")
    return Returns(kind, _returns_value(kind, entry, known, scope), attributes)


def _returns_value(kind: str, entry: _Node, known: _Names, scope: _Scope | None) -> Any:
    if kind in RETURN_WORDS:
        if entry.literal() is not True:
            raise entry.error("expected true")
        return None
    if kind in RETURN_CHOICES:
        return entry.word(kind.replace("_", " "), RETURN_CHOICES[kind])
    if kind == "settings":
        return entry.text()
    if kind == "inside":
        known.check_name(entry, entry.text().partition(".")[0])
        return entry.text()
    if kind in (
        "argument",
        "module_of",
        "rank_is",
        "element_of",
        "environment",
        "decoded",
        "merged",
        "range",
        "regrouped",
        "entry",
        "built",
        "located",
        "overridden",
    ):
        return known.check(entry)
    if kind in ("derived", "asks", "exists", "mean", "sum", "composed", "registered"):
        return known.check_all(entry)
    if kind == "constant":
        return entry.literal()
    if kind == "tuple":
        return tuple(_returns(item, known, scope) for item in entry.items())
    if kind == "per_rank":
        items = entry.items()
        if len(items) != 2:
            raise entry.error("expected two results: on rank 0, and on the other ranks")
        return tuple(_returns(item, known, scope) for item in items)
    if kind == "instance":
        name = entry.text()
        if name in OBJECT_KINDS:
            return name
        if scope is None or not scope.is_class(name):
            raise entry.unknown("class or object kind", name, OBJECT_KINDS)
        return scope.class_name(entry)
    return _returns(entry, known, scope)


# --- what models take over from each other -----------------------------------------------------------------


class _Inheritance:
    """Fills in what classes take from their bases, and what `same_as` takes from another model."""

    def __init__(self, drafts: Mapping[str, _Draft], scope: _Scope) -> None:
        self._drafts = drafts
        self._scope = scope
        self._done: dict[str, ApiModel] = {}
        self._open: set[str] = set()

    def model(self, name: str) -> ApiModel:
        if name in self._done:
            return self._done[name]
        if name not in self._drafts:
            model = None if self._scope.base is None else self._scope.base.resolve(name)
            assert model is not None, name
            return model
        draft = self._drafts[name]
        if name in self._open:
            raise draft.node.error(f"{name!r} is derived from itself")
        self._open.add(name)
        model = self._finish(draft)
        self._open.discard(name)
        self._done[name] = model
        return model

    def _finish(self, draft: _Draft) -> ApiModel:
        model = draft.model
        if draft.same_as is not None:
            return self._equal(draft, self.model(draft.same_as))
        if not isinstance(model, ClassModel) or not model.bases:
            return model
        bases = [base for base in (self.model(name) for name in model.bases) if isinstance(base, ClassModel)]
        first = bases[0]
        traits: dict[str, Any] = {}
        for base in reversed(bases):
            traits.update(base.traits)
        return replace(
            model,
            kind=model.kind if "kind" in draft.given else first.kind,
            traits={**traits, **model.traits},
            constructor=_inherited_call(model.constructor, first.constructor, draft),
        )

    def _equal(self, draft: _Draft, other: ApiModel) -> ApiModel:
        if isinstance(other, FunctionModel) and isinstance(draft.model, FunctionModel):
            return _inherited_call(draft.model, other, draft)
        if isinstance(other, ClassModel) and isinstance(draft.model, ClassModel):
            constructor = _inherited_call(draft.model.constructor, other.constructor, draft)
            return replace(other, name=draft.model.name, bases=(other.name,), constructor=constructor)
        raise draft.node.error("'same_as' must name a function for a function and a class for a class")


def _inherited_call(own: FunctionModel, base: FunctionModel, draft: _Draft) -> FunctionModel:
    """`own`, completed by what `base` says; facts about parameters that `own` does not have are dropped."""
    given = draft.given
    parameters = own.parameters if "parameters" in given else base.parameters
    names = _parameter_names(parameters)

    def kept(name: str) -> bool:
        return names is None or name in names

    event, roles, constants = own.event, own.roles, own.constants
    if not given & {"event", "places"}:
        event, constants = base.event, base.constants
        roles = {**{role: parameter for role, parameter in base.roles.items() if kept(parameter)}, **roles}
    for role, parameter in own.roles.items():
        if role not in (vocabulary := EVENT_ROLES[event] if event else ()):
            raise draft.node.mapping("key")["roles"].unknown(f"role of {event}", role, vocabulary)
        if not kept(parameter):
            raise draft.node.mapping("key")["roles"].unknown("parameter", parameter, names or ())
    if event:
        roles = {**_equal_names(event, names, constants), **roles}
    unless = {
        facility: parameters_given
        for facility, parameters_given in base.requires_unless.items()
        if all(map(kept, parameters_given))
    }
    return replace(
        own,
        parameters=parameters,
        event=event,
        roles=roles,
        constants=constants,
        requires=_pick("requires", given, own.requires, base.requires),
        requires_unless=_pick("requires", given, own.requires_unless, unless),
        provides=_pick("provides", given, own.provides, base.provides),
        returns=own.returns if "parameters" in given or own.returns else base.returns,
        starts=own.starts if "parameters" in given or own.starts else base.starts,
        registers=own.registers or base.registers,
        calls=own.calls or (base.calls if base.calls and kept(base.calls) else None),
        calls_with=own.calls_with or base.calls_with,
        calls_if=own.calls_if or base.calls_if,
        interrupts=own.interrupts or (base.interrupts if base.interrupts and kept(base.interrupts) else None),
        uniform=_pick("uniform", given, own.uniform, tuple(filter(kept, base.uniform))),
        documents=_pick("documents", given, own.documents, base.documents),
        mutates=_pick("mutates", given, own.mutates, tuple(filter(kept, base.mutates))),
        collective_when=own.collective_when if given & {"collective_when", "event"} else base.collective_when,
        collective_if=own.collective_if if given & {"collective_when", "event"} else base.collective_if,
        tensor=_pick("tensor", given, own.tensor, base.tensor),
        traits=base.traits,
        ineffective=own.ineffective or base.ineffective,
        collective_since=_pick("collective_since", given, own.collective_since, base.collective_since),
    )


def _pick(key: str, given: frozenset[str], own: _T, inherited: _T) -> _T:
    return own if key in given else inherited
