"""Settings of a program: `argparse` parsers, their results, and configuration objects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ddl_lint.analysis.interpreter.machine import Arguments, Machine, text_of
from ddl_lint.analysis.values.lattice import alternatives, choose
from ddl_lint.analysis.values.operators import apply
from ddl_lint.analysis.values.visitors import objects_in
from ddl_lint.program.values import (
    FALSE,
    NONE,
    TRUE,
    Alternatives,
    Bound,
    ClassRef,
    Const,
    FunctionRef,
    Items,
    Object,
    Rank,
    Setting,
    Symbol,
    Table,
    Unknown,
    Value,
    WorldSize,
)
from ddl_lint.source.span import Location


def parser_method(m: Machine, parser: Object, name: str, arguments: Arguments, location: Location) -> Value:
    """A method of an argument parser. Groups are taken for the parser itself; sub-parsers put what they declare into
    the parser that they are of.
    """
    asked, commands, parser = parser, _commands_of(parser), _root(parser)
    if name == "add_argument":
        _add_argument(m, parser, arguments, commands)
        return Unknown(location)
    if name == "set_defaults":
        for keyword, value in arguments.keywords:
            known = m.heap.attributes(parser).get(keyword)
            held = _joined(known, value) if isinstance(value, _CALLED) else None
            m.heap.store(parser, keyword, held or Setting(keyword, "argument", value))
        return NONE
    if name in ("parse_args", "parse_known_args", "parse_intermixed_args"):
        given = dict(arguments.keywords).get("namespace") or (arguments.positional[1:] or [NONE])[0]
        namespace = given if isinstance(given, Object) else Object("namespace", location, given={"parser": parser})
        if name == "parse_known_args":
            return Items("tuple", (namespace, Unknown(location)))
        return namespace
    if name == "add_subparsers":
        chosen = text_of(dict(arguments.keywords).get("dest"))
        if chosen is None or commands:
            return asked  # the commands of a command have what that one has
        m.heap.store(parser, chosen, Setting(chosen, "argument", NONE))
        return Object("parser", location, parser.api, given={_OF: parser, _CHOSEN: Const(chosen)})
    if name == "add_parser":
        return _sub_parser(m, asked, arguments, location)
    if name in ("add_argument_group", "add_mutually_exclusive_group"):
        return asked
    return Unknown(location)


# What a sub-parser, and what makes it, was made with: the parser that it is of, the setting that says which command was
# chosen, and the names of its own command.
_OF, _CHOSEN, _NAMES = "of", "chosen", "names"


def _sub_parser(m: Machine, maker: Object, arguments: Arguments, location: Location) -> Object:
    """The parser of one command; what makes it, where neither the command nor the setting for it can be seen."""
    if _CHOSEN not in maker.given or _NAMES in maker.given:
        return maker
    keywords = dict(arguments.keywords)
    aliases = keywords.get("aliases", Items("tuple", ()))
    names = arguments.positional[:1] or [keywords.get("name", NONE)]
    names += aliases.items if isinstance(aliases, Items) else (NONE,)
    if None in [text_of(each) for each in names]:
        return _root(maker)
    made = Object("parser", location, maker.api, given={**maker.given, _NAMES: Items("tuple", tuple(names))})
    root = _root(maker)
    before = m.heap.attributes(root).get(_SUBS)
    m.heap.store(root, _SUBS, Items("tuple", (*(before.items if isinstance(before, Items) else ()), made)))
    return made


def _root(parser: Object) -> Object:
    """The parser that a sub-parser is of; any other parser itself."""
    of = parser.given.get(_OF)
    return of if isinstance(of, Object) and of.kind == "parser" else parser


def _commands_of(parser: Object) -> frozenset[tuple[str, str]]:
    """The setting that holds the chosen command, with each name of the command that a sub-parser is for."""
    chosen, names = text_of(parser.given.get(_CHOSEN)), parser.given.get(_NAMES)
    if chosen is None or not isinstance(names, Items):
        return frozenset()
    return frozenset((chosen, name) for name in map(text_of, names.items) if name is not None)


_CALLED = (FunctionRef, ClassRef, Bound)


def _joined(known: Value | None, value: Value) -> Value:
    """What sub-parsers say under one name, each for its command: the functions that carry the commands out."""
    options = list(known.options) if isinstance(known, Alternatives) else []
    if isinstance(known, _CALLED):
        options = [(frozenset({(_command(0), True)}), known)]
    if not options or any(option == value for _, option in options):
        return known or value
    return choose([*options, (frozenset({(_command(len(options)), True)}), value)])


def _command(number: int) -> Value:
    return apply("==", Setting("command", "argument"), Const(number))


def options_of(m: Machine, parser: Object) -> Items:
    """The options of a parser, as they are spelled in the command line; there may be more where it is open."""
    found: list[Value] = []
    opened = False
    for each in _with_parents(parser):
        stored = m.heap.attributes(each)
        opened = opened or _UNSEEN in stored or each.definition is not None
        opened = opened or any(map(m.heap.is_escaped, (each, *objects_in(stored.get(_SUBS, NONE)))))
        opened = opened or bool(each.traits.get("more_options"))
        parents = each.given.get("parents")
        opened = opened or (parents is not None and (not isinstance(parents, Items) or parents.open))
        for name, spelled in stored.items():
            if name[:1] == (_SPELLED,):
                found.extend(item for way in alternatives(spelled) if isinstance(way, Items) for item in way.items)
    return Items("tuple", tuple(found), open=opened)


@dataclass(frozen=True)
class Option:
    """What a call of `add_argument` declares."""

    name: str
    """The attribute under which it is found."""

    default: Value
    spelled: tuple[str, ...]
    """How it is written in the command line."""

    choices: tuple[str, ...] = ()
    """The texts that may be given for it; empty where that is not said, or not known."""


def option_of(arguments: Arguments) -> Option | None:
    """The option that these arguments of `add_argument` declare; None where its name cannot be seen."""
    spelled = tuple(text for text in map(text_of, arguments.positional) if text is not None)
    keywords = dict(arguments.keywords)
    name = text_of(keywords.get("dest")) or next((o[2:] for o in spelled if o.startswith("--")), None)
    if name is None:
        name = next((option.lstrip("-") for option in spelled), None)
    if name is None:
        return None
    action = text_of(keywords.get("action"))
    default = keywords.get("default")
    if default is None:
        default = FALSE if action == "store_true" else TRUE if action == "store_false" else NONE
    return Option(name.replace("-", "_"), default, spelled, _choices(keywords.get("choices")))


def _choices(given: Value | None) -> tuple[str, ...]:
    if not isinstance(given, Items) or given.open:
        return ()
    texts = [text_of(each) for each in given.items]
    return tuple(text for text in texts if text is not None) if None not in texts else ()


def _add_argument(
    m: Machine, parser: Object, arguments: Arguments, commands: frozenset[tuple[str, str]] = frozenset()
) -> None:
    option = option_of(arguments)
    if option is None:
        m.heap.store(parser, _UNSEEN, TRUE)
        return
    known = m.heap.attributes(parser).get(option.name)
    if isinstance(known, Setting):
        commands = commands | known.commands if commands and known.commands else frozenset()
    m.heap.store(parser, option.name, Setting(option.name, "argument", option.default, commands, option.choices))
    # Several options may fill one attribute: `--local_rank` and `--local-rank`.
    before = m.heap.attributes(parser).get((_SPELLED, option.name))
    spelled = (*(before.items if isinstance(before, Items) else ()), *map(Const, option.spelled))
    m.heap.store(parser, (_SPELLED, option.name), Items("tuple", spelled))
    keywords = dict(arguments.keywords)
    if "type" in keywords:
        m.heap.store(parser, (_TYPE, option.name), keywords["type"])


# Under these keys a parser keeps what it knows of its options beside their values, which are attributes by name.
_SPELLED, _TYPE = "spelled", "type"
_UNSEEN = ("unseen", "")
_SUBS = ("parsers of commands", "")


def setting(m: Machine, namespace: Object, name: str) -> Value:
    """An attribute of a namespace of settings.

    A rank or world size by name is taken for what it says; it was given by a launcher.
    """
    stored = m.heap.attributes(namespace).get(name)
    if stored is not None:
        return stored
    declared = _declared(m, namespace, name)
    default = declared.default if isinstance(declared, Setting) else None
    if isinstance(default, (Rank, WorldSize)):
        return (
            Rank(default.scope, source=default.source)
            if isinstance(default, Rank)
            else WorldSize(default.scope, source=default.source)
        )
    known = _said_by(m, name)
    if known is not None:
        return known
    if isinstance(declared, (*_CALLED, Alternatives)):
        return declared
    if isinstance(declared, Setting):
        return _converted(m, namespace, name, declared)
    return Unknown((namespace, name))


def table_of(m: Machine, namespace: Object) -> Table | None:
    """What `vars(args)` holds, where a parser of the program has made the namespace; open where it may hold more."""
    parser = namespace.given.get("parser")
    if not isinstance(parser, Object) or parser.kind != "parser":
        return None
    names = {
        name: None
        for owner in (*_parsers(namespace), namespace)
        for name in m.heap.attributes(owner)
        if isinstance(name, str)
    }
    opened = options_of(m, parser).open or m.heap.is_escaped(namespace)
    return Table(tuple((Const(name), setting(m, namespace, name)) for name in names), opened)


def flag(m: Machine, name: str) -> Value:
    """A flag of the one parser that a library keeps for the whole program: each module declares its own."""
    return _said_by(m, name) or Setting(name, "argument")


def _said_by(m: Machine, name: str) -> Value | None:
    """What the name of a setting says that it is."""
    known = m.conventional(name)
    if isinstance(known, Rank):
        return Rank(known.scope, source="argument")
    if isinstance(known, WorldSize):
        return WorldSize(known.scope, source="argument")
    return known


def _converted(m: Machine, namespace: Object, name: str, declared: Setting) -> Value:
    """A setting as the type that its option asks for, where that is a path."""
    asked = (m.heap.attributes(parser).get((_TYPE, name)) for parser in _parsers(namespace))
    wanted = next((each for each in asked if each is not None), None)
    model = m.api.class_(wanted.name) if isinstance(wanted, Symbol) else None
    if model is None or model.kind != "path":
        return declared
    paths = m.run_state.paths
    m.spoil()
    if (namespace, name) not in paths:  # the same path in every arm of a branch, wherever it is asked for first
        paths[namespace, name] = m.make(
            model.kind, namespace.location, model.name, given={"path": declared}, traits=model.traits
        )
    return paths[namespace, name]


def _declared(m: Machine, namespace: Object, name: str) -> Value | None:
    """What the parser of a namespace, or one of the parsers that it was built on, says of an option."""
    declared = (m.heap.attributes(parser).get(name) for parser in _parsers(namespace))
    return next((each for each in declared if each is not None), None)


def _parsers(namespace: Object) -> Iterator[Object]:
    """The parser of a namespace and its `parents`, nearest first."""
    return _with_parents(namespace.given.get("parser"))


def _with_parents(first: Value | None) -> Iterator[Object]:
    """A parser and its `parents`, nearest first."""
    waiting = [first]
    while waiting:
        parser = waiting.pop(0)
        if isinstance(parser, Object) and parser.kind == "parser":
            yield parser
            parents = parser.given.get("parents")
            waiting.extend(parents.items if isinstance(parents, Items) else ())
