"""Where a program declares options of its command line, and where it reads them."""

from __future__ import annotations

from ddl_lint.analysis.interpreter.library.parsers import option_of, options_of
from ddl_lint.analysis.interpreter.machine import Arguments, Frame, Machine, Probes, text_of
from ddl_lint.program.values import FALSE, NONE, Items, Object, Symbol
from ddl_lint.source.span import Location


def parse_options(probes: Probes) -> None:
    """Record `parse_options`."""
    probes.on_library_call.append(_parsed)


def declare_option(probes: Probes) -> None:
    """Record `declare_option`."""
    probes.on_library_call.append(_declared)


def _parsed(m: Machine, frame: Frame, method: Symbol, arguments: Arguments, location: Location) -> None:
    parser = method.receiver
    if not isinstance(parser, Object) or parser.kind != "parser" or _is_given(arguments):
        return
    if method.name.rpartition(".")[2] in ("parse_args", "parse_intermixed_args"):
        m.emit(frame, "parse_options", location, {"options": options_of(m, parser)})


def _is_given(arguments: Arguments) -> bool:
    """Whether a parser may read something else than the command line: `parse_args([])`."""
    given = arguments.positional[:1] + [value for name, value in arguments.keywords if name == "args"]
    return arguments.hides_some or any(value != NONE for value in given)


def _declared(m: Machine, frame: Frame, method: Symbol, arguments: Arguments, location: Location) -> None:
    """A number of the process, or of processes, may be given."""
    parser = method.receiver
    if not isinstance(parser, Object) or parser.kind != "parser" or not method.name.endswith(".add_argument"):
        return
    option = option_of(arguments)
    if option is not None and m.conventional(option.name) is not None:
        names = Items("tuple", tuple(value for value in arguments.positional if text_of(value) is not None))
        required = dict(arguments.keywords).get("required", FALSE)
        operands = {"options": names, "default": option.default, "required": required, "parser": parser}
        m.emit(frame, "declare_option", location, operands)
