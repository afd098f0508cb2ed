"""Code that is written with full names, rewritten with the names that a file has for them."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from ddl_lint.finding import Edit
from ddl_lint.fixes.python.file import File, Place
from ddl_lint.fixes.python.layout import as_lines
from ddl_lint.fixes.python.scope import names_bound
from ddl_lint.fixes.python.template import renamed
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.program import code
from ddl_lint.source.span import Span

_HOLE = "__hole_{}__"
_NEW_NAME = re.compile(r"(?m)^(?:(?=\w+ = )|for )(\w+) ")


@dataclass(frozen=True)
class Wording:
    """Code for a place of a file, and the edits that import what it names."""

    text: str
    imports: tuple[Edit, ...]


def word(
    place: Place,
    template: str,
    holes: Mapping[str, str],
    usual: Mapping[str, str],
    canonical: Callable[[str], str | None] = lambda _: None,
) -> Wording:
    """Code with the names under which the file of a place knows what it uses.

    Args:
        place: Where the code is to be.
        template: Statements or an expression with full names (`torch.distributed.get_rank()`) and holes (`{value}`).
        holes: What to put into the holes, as it is.
        usual: The name that is usual for a module, class or function, by its full name; else its package is imported.
        canonical: The one name of something that libraries have under several.

    Raises:
        Unfixable: a name that would have to be imported means something else in the file.
    """
    masked = template
    for number, name in enumerate(holes):
        masked = masked.replace(f"{{{name}}}", _HOLE.format(number))
    speaker = _Speaker(place, usual, canonical)
    own: set[str] = set()
    for name in _NEW_NAME.findall(masked):
        if not name.startswith("__hole_"):
            free = speaker.free(name)
            masked = re.sub(rf"\b{name}\b", free, masked)
            own.add(free)
    text = renamed(masked, speaker.name, own)
    for number, value in enumerate(holes.values()):
        text = text.replace(_HOLE.format(number), value)
    quote = place.file.quote
    if quote == "'" and "'" not in masked:
        for number in range(len(holes)):
            masked = masked.replace(_HOLE.format(number), "")
        text = _requoted(text, masked)
    return Wording(text, speaker.edits())


def _requoted(text: str, masked: str) -> str:
    """The template's own strings in single quotation marks."""
    for string in {piece for index, piece in enumerate(masked.split('"')) if index % 2}:
        text = text.replace(f'"{string}"', f"'{string}'")
    return text


class _Speaker:
    """The names of a file at a place, and the imports that are missing there."""

    def __init__(self, place: Place, usual: Mapping[str, str], canonical: Callable[[str], str | None]) -> None:
        self._place = place
        self._usual = usual
        self._canonical = canonical
        self._known = dict(_imported(place))
        self._new: dict[str, str] = {}

    def name(self, full: str) -> str:
        """How the file says a full name."""
        taken = self._shadowed()
        best = ""
        for alias, meaning in self._known.items():
            if alias.partition(".")[0] in taken:
                continue
            said = self._said(full, alias, meaning)
            if said and (not best or len(said) < len(best)):
                best = said
        return best or self._import(full, taken)

    def _said(self, full: str, alias: str, meaning: str) -> str:
        """How a full name begins with an alias; empty when it does not."""
        if full == meaning:
            return alias
        if full.startswith(f"{meaning}.") and not self._needs_own_import(full, meaning):
            return alias + full[len(meaning) :]
        wanted = self._canonical(full)
        if wanted is None:
            return ""
        if self._canonical(meaning) == wanted:
            return alias
        last = full
        while "." in last:  # a module that has it, too: `hvd` of another framework
            last = last.partition(".")[2]
            is_below = full.startswith(f"{meaning}.") and "." in last  # a module that may not be imported
            if not is_below and self._canonical(f"{meaning}.{last}") == wanted:
                return f"{alias}.{last}"
        return ""

    def _needs_own_import(self, full: str, meaning: str) -> bool:
        """Whether a module on the way from what is imported to a full name is there only when it is imported itself."""
        return any(
            full.startswith(f"{key}.") and key.startswith(f"{meaning}.")
            for key, spelled in self._usual.items()
            if key == spelled
        )

    def _import(self, full: str, taken: set[str]) -> str:
        key = full
        while key not in self._usual and "." in key:
            key = key.rpartition(".")[0]
        alias = self._usual.get(key, key)
        others = {known.partition(".")[0] for known in self._known} | taken | names_bound(*self._place.file.module.body)
        if alias in others:
            key = alias = full.rpartition(".")[0]  # the module under its full name
            if alias.partition(".")[0] in taken:
                raise Unfixable(f"`{alias}` means something else here")
        parent, _, last = key.rpartition(".")
        if key == alias:
            statement = f"import {key}"
        elif last == alias and (last[:1].isupper() or key == full):  # what is used itself is no module
            statement = f"from {parent} import {last}"
        else:
            statement = f"import {key} as {alias}"
        self._new[statement] = key
        self._known[alias] = key
        return alias + full[len(key) :]

    def _shadowed(self) -> set[str]:
        """Names that a function around the place binds to something else."""
        found: set[str] = set()
        for owner in self._place.owners:
            if isinstance(owner, code.Function):
                found |= {parameter.name for parameter in owner.parameters}
                found |= names_bound(*owner.body) - {alias.partition(".")[0] for alias, _ in _imports(owner.body)}
        return found

    def free(self, name: str) -> str:
        """The name for a new variable, which must not be one of the file."""
        taken = self._shadowed() | names_bound(*self._place.file.module.body)
        while name in taken:
            name += "_"
        return name

    def edits(self) -> tuple[Edit, ...]:
        """The imports that are missing, as edits."""
        new = sorted(self._new.items(), key=lambda each: each[1])  # several may go to one place
        return tuple(_import_edit(self._place, statement, module) for statement, module in new)


def _imported(place: Place) -> Iterator[tuple[str, str]]:
    """Names that imports around a place bind, each with the full name of what it means."""
    whole = place.file.module.body
    yield from _imports(whole if place.function else [each for each in whole if each.start < place.start])
    for owner in place.owners:
        if isinstance(owner, code.Function):
            yield from _imports(owner.body)


def _imports(body: list[code.Statement]) -> Iterator[tuple[str, str]]:
    for statement in body:
        if isinstance(statement, code.Import):
            if statement.alias is not None:
                yield statement.alias, statement.module
            else:
                yield statement.module.partition(".")[0], statement.module.partition(".")[0]
        elif isinstance(statement, code.ImportFrom) and not statement.level:
            for name, alias in statement.names:
                if name != "*":
                    yield alias or name, f"{statement.module}.{name}"


# --- where an import goes ---------------------------------------------------------------------------------------------


def _import_edit(place: Place, statement: str, module: str) -> Edit:
    """A new import beside its like: that of the same package, else of its section.

    The sections are those that formatters keep: `__future__`, the standard library, other packages, the own package.
    """
    file = place.file
    cell = file.document.cell_at(place.start)
    span = next((each.span for each in file.document.cells if cell and each.index == cell.index), None)
    body = [each for each in file.module.body if span is None or span.start <= each.start < span.end]
    imports = [each for each in body if isinstance(each, (code.Import, code.ImportFrom)) and each.start < place.start]
    head = [each for each in imports if _has_own_line(file, each)]
    root = module.partition(".")[0]
    section = _section(file, root)
    beside = [each for each in head if _root(each) == root]
    beside = beside or [each for each in head if _section(file, _root(each)) == section]
    if beside:
        return _after(file, beside[-1], as_lines(file, statement, ""))
    later = [each for each in head if _section(file, _root(each)) > section]
    if later:
        start = file.line_start(later[0].start)
        return file.edit(start, start, as_lines(file, statement, "") + file.newline)
    if head:
        return _after(file, head[-1], file.newline + as_lines(file, statement, ""))
    start = _behind_docstring(file, body) if body else (span.start if span else 0)
    return file.edit(start, start, as_lines(file, statement, ""))


def _section(file: File, root: str) -> int:
    """The section of the imports to which a package belongs."""
    if root == "__future__":
        return 0
    if root in sys.stdlib_module_names:
        return 1
    own = file.module.name.partition(".")[0] if "." in file.module.name else ""
    return 3 if root in (".", own) else 2


def _has_own_line(file: File, statement: code.Import | code.ImportFrom) -> bool:
    """Whether nothing else is on the lines of an import."""
    return file.begins_line(statement.start) and file.ends_line(statement.end)


def _root(statement: code.Import | code.ImportFrom) -> str:
    if isinstance(statement, code.ImportFrom) and statement.level:
        return "."
    return statement.module.partition(".")[0]


def _after(file: File, statement: code.Statement, lines: str) -> Edit:
    start = file.next_line(statement.end)
    if start == file.line_end(statement.end):
        return file.edit(start, start, file.newline + lines.removesuffix(file.newline))
    return file.edit(start, start, lines)


def _behind_docstring(file: File, body: list[code.Statement]) -> int:
    first = body[0]
    if (
        isinstance(first, code.Evaluate)
        and isinstance(first.value, code.Literal)
        and isinstance(first.value.value, str)
    ):
        return file.next_line(first.end)
    place = file.place(Span(first.start, first.end))
    return file.line_start(place.start)
