"""Reads shell scripts: the commands that they run, with what is known of their words and of the environment.

Nothing is executed. Variables are followed in the order of the text; what depends on the user, on another command or on
a branch is not known, and unknown is a value here, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from ddl_lint.jobs.arithmetic import computed
from ddl_lint.jobs.excerpt import Excerpt
from ddl_lint.jobs.here_documents import HereDocument, Written
from ddl_lint.jobs.plain_shell import plain_commands
from ddl_lint.jobs.words import NO_WORDS, Command, Part, Value, Word, around, split
from ddl_lint.source.span import Location

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_DEEPEST = 60  # nested statements; a script written by a person has less
_CALLS = 4  # functions that call each other
_MOST_COMMANDS = 2_000
_MOST_PARTS = 2_000  # of the value of a variable
_LONGEST = 100_000  # characters of it
_MOST_SOURCES = 20  # files that one script reads into itself

_QUOTED = re.compile(r'\\(?:\n|([$`"\\]))')
_QUOTED_HERE = re.compile(r"\\(?:\n|([$`\\]))")  # in a here-document, quotes are letters
_ESCAPED = re.compile(r"\\(?:\n|(.))", re.DOTALL)
_NAMES = re.compile(r"(?<!-)\b[A-Za-z_]\w*")
_WHOLE = re.compile(r"-?(?:0|[1-9]\d{0,11})")
_RESIZES = re.compile(r"-[Nn]|--n(?:odes|tasks)")  # a step of its own size, to whose shells Slurm tells that one
_SHELLS = ("bash", "sh", "dash", "zsh")
_REMOTE = ("ssh", "pdsh")
"""Programs whose last argument is read by a shell on another machine."""

_ALL = re.compile(r"\$(?:@|\{@\}|\{\w+\[@\]\})")  # stays several words in double quotes
_BLANK = re.compile(r"\s")
_PLACEHOLDER = re.compile(r"(?<![^\s=/])<(?P<text>[A-Za-z](?:[^<>\n|&;]*[^<>\n|&;\s])?)>(?=[\s/.\"'_\\]|$)")
"""What whoever uses a script puts something in for; the shell would read and write files there."""

_COMMAND_OPTION = re.compile(r"-[a-z]*c")


@dataclass(frozen=True, slots=True)
class Assignment:
    """A variable is set."""

    name: str
    value: Word
    location: Location
    is_exported: bool
    arms: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ShellText:
    """A shell script that has been read."""

    excerpt: Excerpt
    commands: tuple[Command, ...]
    """In the order of the text; those of a function where it is called."""

    assignments: tuple[Assignment, ...]
    """All variables that are set, for one command only or for all that follow."""

    comments: tuple[Location, ...]
    written: tuple[Word, ...] = ()
    """The files into which output is sent."""

    here: tuple[HereDocument, ...] = ()
    """The texts of its own that it writes into files, or hands to a batch system."""


@lru_cache(maxsize=1)
def _parser() -> Parser | None:
    """The grammar of the shell; None where it is not installed, as where an installation is older than the code."""
    try:
        import tree_sitter_bash  # here, since most checks meet no shell script
        from tree_sitter import Language, Parser
    except ImportError:
        return None
    return Parser(Language(tree_sitter_bash.language()))


def shell_faults(text: str) -> int:
    """How many places of a shell text cannot be read."""
    parser = _parser()
    if parser is None:
        return 0
    count, waiting = 0, [parser.parse(text.encode("utf-8", "replace")).root_node]
    while waiting:
        node = waiting.pop()
        count += node.is_error or node.is_missing
        waiting += node.children if node.has_error else ()
    return count


def read_shell(
    excerpt: Excerpt,
    exported: dict[str, Word] | None = None,
    per_task: Command | None = None,
    found: Callable[[Word], Excerpt | None] | None = None,
    held: Mapping[str, Word] = NO_WORDS,
) -> ShellText:
    """The commands of a shell text; of a broken one what can be read.

    Args:
        excerpt: The text.
        exported: Variables that its environment has.
        held: Variables that are none of the environment: pieces that another shell has put into the text.
        per_task: The command that starts the shell, if one does.
        found: Gives the text that `source` reads; None for one that is not known.
    """
    parser = _parser()
    if parser is None:
        return ShellText(excerpt, tuple(plain_commands(excerpt, exported or {})), (), ())
    data = _PLACEHOLDER.sub(_as_variable, excerpt.text).encode("utf-8", "replace")
    walker = _Walker(excerpt, data, per_task, found)
    for name, word in (exported or {}).items():
        walker.state.values[name] = word
        walker.state.exported.add(name)
    walker.state.values.update(held)
    walker.run(parser.parse(data).root_node)
    return ShellText(
        *(excerpt, tuple(walker.commands), tuple(walker.assignments), tuple(walker.comments)),
        *(tuple(walker.written), tuple(walker.here)),
    )


def _as_variable(placeholder: re.Match[str]) -> str:
    """A variable that nothing sets, in as many bytes as a placeholder."""
    return "${" + "_" * (len(placeholder[0].encode("utf-8", "replace")) - 3) + "}"


@dataclass
class _State:
    values: dict[str, Value] = field(default_factory=dict[str, Value])
    exported: set[str] = field(default_factory=set[str])
    positional: tuple[Word, ...] | None = None

    def copy(self) -> _State:
        return _State(dict(self.values), set(self.exported), self.positional)


class _Walker:
    def __init__(
        self,
        excerpt: Excerpt,
        data: bytes,
        per_task: Command | None,
        found: Callable[[Word], Excerpt | None] | None = None,
    ) -> None:
        self.excerpt = excerpt
        self.data = data
        self._as_written = excerpt.text.encode("utf-8", "replace")
        self.per_task = per_task
        self.found = found
        self.sources = 0
        self.state = _State()
        self.commands: list[Command] = []
        self.assignments: list[Assignment] = []
        self.comments: list[Location] = []
        self.written: list[Word] = []
        self.here: list[HereDocument] = []
        self._functions: dict[str, Node] = {}
        self._called: set[str] = set()
        self._calls: list[str] = []
        self._arms: tuple[int, ...] = ()
        self._arm = 0
        self._loops = 0
        self._defaults = 0
        self._is_ascii = len(data) == len(excerpt.text)
        self._prefixes: dict[str, Word] = {}

    def run(self, root: Node) -> None:
        """Follow a whole script; functions that it does not call itself, as somebody else may call them."""
        self._block(root, 0)
        for name, body in list(self._functions.items()):
            if name not in self._called:
                self._in_arm(body, 0, _State(dict(self.state.values), set(self.state.exported)))

    # --- places ---

    def _offset(self, at: int) -> int:
        return at if self._is_ascii else len(self.data[:at].decode("utf-8", "replace"))

    def _place(self, node: Node) -> Location:
        return self.excerpt.place(self._offset(node.start_byte), self._offset(node.end_byte))

    def _text(self, node: Node) -> str:
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    # --- statements ---

    def _block(self, node: Node, depth: int) -> None:
        children = node.children
        for index, child in enumerate(children):
            following = children[index + 1].type if index + 1 < len(children) else ""
            self._statement(child, depth + 1, in_background=following == "&")

    def _statement(self, node: Node, depth: int, *, in_background: bool = False) -> None:
        kind = node.type
        if depth > _DEEPEST or len(self.commands) > _MOST_COMMANDS:
            return
        if kind == "command":
            self._command(node, depth, in_background)
        elif kind == "comment":
            self.comments.append(self._place(node))
        elif kind == "variable_assignment" and self._is_option(node):
            self.commands.append(self._called_with((self._option(node),), node, NO_WORDS, in_background))
        elif kind == "variable_assignment":
            self._assign(node, is_exported=False)
        elif kind == "variable_assignments":
            for child in node.children:
                self._statement(child, depth + 1)
        elif kind == "declaration_command":
            self._declare(node)
        elif kind == "unset_command":
            for child in node.named_children:
                self.state.values.pop(self._text(child), None)
                self.state.exported.discard(self._text(child))
        elif kind == "redirected_statement":
            for child in node.named_children:
                self._redirect(child)
            body, before = node.child_by_field_name("body"), len(self.commands)
            if body is not None:
                self._statement(body, depth + 1, in_background=in_background)
            for child in node.named_children:
                if child.type == "heredoc_redirect":
                    self._here_document(child, before, depth)
            self._echoed(node, before)
        elif kind == "function_definition":
            name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
            if name is not None and body is not None:
                self._functions[self._text(name)] = body
        elif kind in ("if_statement", "case_statement"):
            self._branches(node, depth)
        elif kind in ("for_statement", "while_statement", "c_style_for_statement"):
            self._loop(node, depth)
        elif kind == "list":
            self._list(node, depth)
        elif kind in ("subshell", "pipeline"):
            before = self.state
            self.state = before.copy()
            for child in node.named_children:
                self._statement(child, depth + 1, in_background=in_background)
            self.state = before
        elif _is_computation(node):
            for name in self._named_in(node):
                self._forget(self.state, name)
        elif kind in ("compound_statement", "do_group", "negated_command", "ERROR"):
            self._block(node, depth)

    def _redirect(self, node: Node) -> None:
        """Note the file that `> file` writes."""
        inner = [child for child in node.named_children if child.type == "file_redirect"]
        for each in [node, *inner] if node.type in ("file_redirect", "heredoc_redirect") else ():
            target = each.child_by_field_name("destination")
            if target is not None and any(child.type in (">", ">>", "&>", "&>>", ">|") for child in each.children):
                self.written.append(self._word(target))

    def _here_document(self, node: Node, before: int, depth: int) -> None:
        """What is done with the text after `<<`: it is written into a file, or read by a shell or a batch system."""
        content = self._here_content(node)
        reader = self.commands[-1] if len(self.commands) > before else None
        for child in node.named_children:  # what follows in the line of the mark
            if child.type in ("command", "pipeline", "list", "redirected_statement", "subshell"):
                self._statement(child, depth + 1)
            if child.type == "pipeline":
                reader = self.commands[-1] if len(self.commands) > before else None
        if content is None or reader is None:
            return
        at = next(
            (index for index, word in enumerate(reader.words) if is_shell((word.value or "").rpartition("/")[2])), None
        )
        if reader.name in ("cat", "tee"):
            file = self._target(node, reader)
            if file is not None:
                self.here.append(HereDocument(content, reader, file))
        elif reader.name == "sbatch":
            self.here.append(HereDocument(content, reader))
        elif reader.name == "read":
            self._read_whole(reader, content)
        elif at is not None and all(word.value in ("-s", "-l", "-e", "-x", "--") for word in reader.words[at + 1 :]):
            self._read_in(*content.for_shell(), replace(reader, words=reader.words[:at]))
        elif reader.name in _REMOTE and len(reader.words) > 1 and at is None:
            self._read_in(*content.for_shell(), replace(reader, exported=NO_WORDS))

    def _read_whole(self, reader: Command, content: Written) -> None:
        """`read -d '' name <<EOF`: the variable holds the whole text."""
        options = [word.value for word in reader.words[1:-1]]
        name = reader.words[-1].value or ""
        if "" in options and "-a" not in options and _NAMES.fullmatch(name) and len(content.parts) <= _MOST_PARTS:
            self.state.values[name] = Word(content.parts, reader.location)

    def _target(self, node: Node, reader: Command) -> Word | None:
        """The file that `cat > file` or `tee file` makes; None of one to which something is added."""
        siblings = node.parent.named_children if node.parent is not None else []
        redirects = [each for each in (*siblings, *node.named_children) if each.type == "file_redirect"]
        for each in redirects:
            target = each.child_by_field_name("destination")
            if target is not None and reader.name == "cat":
                return self._word(target) if any(child.type in (">", ">|") for child in each.children) else None
        named = [word for word in reader.words[1:] if not word.head.startswith("-")]
        return named[0] if reader.name == "tee" and len(named) == 1 == len(reader.words) - 1 else None

    def _here_content(self, node: Node) -> Written | None:
        body = next((each for each in node.named_children if each.type == "heredoc_body"), None)
        mark = next((each for each in node.named_children if each.type == "heredoc_start"), None)
        if body is None or mark is None:
            return None
        if self._text(mark)[:1] in ("'", '"', "\\"):
            text = self._text(body)
            return Written((Part(text, text, self._place(body)),))
        return Written(tuple(self._here_parts(body)))

    def _here_parts(self, body: Node) -> Iterator[Part]:
        """The text of a here-document; what comes out of a variable is where that is used, as the rest is around it."""
        at = body.start_byte
        for child in body.children:
            yield from self._quoted(at, child.start_byte, _QUOTED_HERE) if child.start_byte > at else ()
            at = child.end_byte
            if child.type == "heredoc_content":
                yield from self._quoted(child.start_byte, at, _QUOTED_HERE) if at > child.start_byte else ()
                continue
            blanks = len(self._text(child)) - len(self._text(child).lstrip())
            yield from self._quoted(child.start_byte, child.start_byte + blanks, _QUOTED_HERE) if blanks else ()
            text = self._text(child).lstrip()
            is_variable = child.type in ("simple_expansion", "expansion")
            value = Word(tuple(self._expanded(child, text) if is_variable else self._parts(child)), self._place(child))
            place = self.excerpt.place(self._offset(child.start_byte) + blanks, self._offset(at))
            yield Part(value.value, text, place, value.is_default)
        if body.end_byte > at:
            yield from self._quoted(at, body.end_byte, _QUOTED_HERE)

    def _echoed(self, node: Node, before: int) -> None:
        """`echo '...' > file`: a text in the script, too."""
        reader = self.commands[-1] if len(self.commands) == before + 1 else None
        if reader is None or reader.name != "echo" or len(reader.words) != 2 or "{" not in reader.words[1].head:
            return
        for each in node.named_children:
            target = each.child_by_field_name("destination") if each.type == "file_redirect" else None
            if target is not None and any(child.type == ">" for child in each.children):
                self.here.append(HereDocument(Written(reader.words[1].parts), reader, self._word(target)))

    def _list(self, node: Node, depth: int) -> None:
        """`a && b`: what comes later may not happen, but what it says mostly holds."""
        for child in node.named_children:
            self._statement(child, depth + 1)

    def _in_arm(self, node: Node, depth: int, state: _State) -> _State:
        """Follow a block by itself, from a state; returns the state after it."""
        before, arms = self.state, self._arms
        self._arm += 1
        self.state, self._arms = state, (*arms, self._arm)
        self._block(node, depth + 1)
        after, self.state, self._arms = self.state, before, arms
        return after

    def _branches(self, node: Node, depth: int) -> None:
        before = self.state
        arms: list[list[Node]] = [[]]
        is_whole = False
        for child in node.named_children:
            if child.type in ("elif_clause", "else_clause", "case_item"):
                arms.append([child])
                is_whole = is_whole or child.type == "else_clause"
            else:
                arms[0].append(child)
        ends: list[_State] = []
        for index, arm in enumerate(arms):
            if index == 0 and node.type == "case_statement":
                continue
            self._arm += 1
            state, kept = before.copy(), self._arms
            self.state, self._arms = state, (*kept, self._arm)
            for child in arm:
                if child.type in ("elif_clause", "else_clause", "case_item"):
                    self._block(child, depth + 1)
                elif child.type not in ("test_command",):
                    self._statement(child, depth + 1)
            ends.append(self.state)
            self._arms = kept
        self.state = self._joined(before, ends if is_whole else [*ends, before])

    def _loop(self, node: Node, depth: int) -> None:
        before = self.state
        inside = before.copy()
        for name in self._set_in(node):
            self._forget(inside, name)
        variable = node.child_by_field_name("variable")
        if variable is not None:
            self._forget(inside, self._text(variable))
        body = node.child_by_field_name("body")
        if body is not None:
            self._loops += 1
            after = self._in_arm(body, depth, inside)
            self._loops -= 1
            self.state = self._joined(before, [before, after])

    def _set_in(self, node: Node) -> Iterator[str]:
        if node.type == "c_style_for_statement":
            header = [child for child in node.named_children if child.type not in ("do_group", "compound_statement")]
            for child in header:
                yield from self._named_in(child)
        waiting = [node]
        while waiting:
            each = waiting.pop()
            if _is_computation(each):
                yield from self._named_in(each)
            if each.type == "variable_assignment":
                name = each.child_by_field_name("name")
                yield self._text(name) if name is not None else ""
            waiting += each.named_children

    def _named_in(self, node: Node) -> Iterator[str]:
        """The variables that an expression names, any of which it may change."""
        waiting = [node]
        while waiting:
            each = waiting.pop()
            if each.type in ("variable_name", "word"):
                yield self._text(each)
            waiting += each.named_children

    def _joined(self, before: _State, ends: Sequence[_State]) -> _State:
        """What is known after several ways: what is the same on all of them."""
        state = ends[0].copy()
        for name in {name for end in ends for name in end.values}:
            found = {_written(end.values.get(name)) for end in ends}
            if len(found) != 1:
                self._forget(state, name)
        state.exported = set[str]().union(*(end.exported for end in ends))
        state.positional = before.positional
        return state

    def _forget(self, state: _State, name: str) -> None:
        place = self.excerpt.place(0, 0)
        state.values[name] = Word((Part(None, f"${name}", place),), place, may_split=True)

    # --- variables ---

    def _declare(self, node: Node) -> None:
        is_exported = node.children[0].type == "export" or "-x" in self._text(node).split()[1:2]
        for child in node.named_children:
            if child.type == "variable_assignment":
                self._assign(child, is_exported)
            elif child.type == "variable_name" and is_exported:
                self._export(self._text(child), self._place(child))

    def _export(self, name: str, place: Location) -> None:
        self.state.exported.add(name)
        value = self.state.values.get(name)
        if isinstance(value, Word):
            self.assignments.append(Assignment(name, value, place, True, self._arms))

    def _assign(self, node: Node, is_exported: bool) -> None:
        written, value_node = node.child_by_field_name("name"), node.child_by_field_name("value")
        if written is None or written.type == "subscript":
            return
        name = self._text(written)
        value = self._value(value_node, self._place(written))
        if any(child.type == "+=" for child in node.children):
            value = self._appended(self.state.values.get(name), value)
        if _is_huge(value):
            value = Word((Part(None, self._text(written), self._place(written)),), self._place(written))
        self.state.values[name] = value
        if is_exported:
            self.state.exported.add(name)
        if isinstance(value, Word):
            exported = is_exported or name in self.state.exported
            self.assignments.append(Assignment(name, value, self._place(node), exported, self._arms))

    def _value(self, node: Node | None, place: Location) -> Value:
        if node is None:
            return Word((), place)
        if node.type == "array":
            return tuple(
                word for child in node.named_children if child.type != "comment" for word in self._words(child)
            )
        word = self._word(node)
        return replace(word, may_split=False) if word.value is not None else word

    def _appended(self, before: Value | None, more: Value) -> Value:
        if isinstance(more, tuple):
            known = before if isinstance(before, tuple) else (before,) if before is not None else ()
            return (*known, *more)
        if isinstance(before, Word):
            parts = (*before.parts, *more.parts)
            return Word(parts, around(parts, more.location), before.may_split or more.may_split)
        return more

    # --- commands ---

    def _command(self, node: Node, depth: int, in_background: bool) -> None:
        words: list[Word] = []
        prefix: dict[str, Word] = {}
        for child in node.children:
            if child.type == "variable_assignment" and self._is_option(child):
                words.append(self._option(child))
            elif child.type == "variable_assignment":
                name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
                found = self._value(value, self._place(child))
                if name is not None and isinstance(found, Word):
                    prefix[self._text(name)] = found
                    self.assignments.append(Assignment(self._text(name), found, self._place(child), True, self._arms))
            elif child.type == "command_name":
                for part in child.named_children or [child]:
                    words += self._words(part)
            elif child.is_named and not child.type.endswith("redirect"):
                words += self._words(child)
        if not words:
            for name, found in prefix.items():
                self.state.values[name] = found
            return
        name = words[0].value or ""
        if name == ":":
            return
        if name == "eval" and len(words) > 1:
            words = [each for word in words[1:] for each in split(word)]
            name = (words[0].value or "") if words else ""
        if name == "set" and len(words) > 1 and words[1].value == "--":
            self.state.positional = tuple(words[2:])
            return
        if name == "shift":
            self.state.positional = self.state.positional[1:] if self.state.positional is not None else None
            return
        if name in ("source", ".") and len(words) > 1:
            self._source(words[1])
            return
        if name in ("let", "read"):
            for each in _NAMES.findall(" ".join(word.value or "" for word in words[1:])):
                self._forget(self.state, each)
        if name == "export":  # of a name that only a variable tells, as the grammar has it
            return
        command = self._called_with(tuple(words), node, prefix or NO_WORDS, in_background)
        body = self._functions.get(name)
        if body is not None and name not in self._calls and len(self._calls) < _CALLS:
            self._called.add(name)
            self._calls.append(name)
            kept = self.state.positional
            self.state.positional = tuple(words[1:])
            self.state = self._in_arm(body, depth, self.state)
            self.state.positional = kept
            self._calls.pop()
            return
        self.commands.append(command)
        self._inner_shell(command)

    def _source(self, word: Word) -> None:
        """The variables set by a file that the script reads into itself; its commands are listed where it is read."""
        excerpt = self.found(word) if self.found is not None and self.sources < _MOST_SOURCES else None
        self.sources += 1
        parser = _parser()
        if parser is not None and excerpt is not None and excerpt.path != self.excerpt.path:
            data = excerpt.text.encode("utf-8", "replace")
            other = _Walker(excerpt, data, self.per_task)
            other.state = self.state
            other.run(parser.parse(data).root_node)
            self.state = other.state

    def _called_with(
        self, words: tuple[Word, ...], node: Node, prefix: Mapping[str, Word], in_background: bool
    ) -> Command:
        """A command in the environment of this place."""
        exported = {
            each: value
            for each in sorted(self.state.exported)
            if isinstance(value := self.state.values.get(each), Word)
        }
        return Command(
            words,
            self._place(node),
            prefix,
            exported or NO_WORDS,
            in_background,
            self._arms,
            self._loops > 0,
            self.per_task,
        )

    def _is_option(self, assignment: Node) -> bool:
        """Whether an assignment is none: the grammar takes `--name=value` at the beginning of a line for one."""
        return self._text(assignment).startswith("-")

    def _option(self, node: Node) -> Word:
        written, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        place = self._place(node)
        if written is None or value is None:
            return Word((Part(self._text(node), self._text(node), place),), place)
        name = self._text(written)
        head = Part(f"{name}=", f"{name}=", Location(place.path, place.start, place.start + len(name) + 1))
        return Word((head, *self._parts(value)), place)

    def _inner_shell(self, command: Command) -> None:
        """The commands of `srun bash -c '...'` and its like, which a shell of their own reads, there or elsewhere."""
        values = [word.value for word in command.words]
        if command.name in _REMOTE and len(values) > 2 and _BLANK.search(command.words[-1].pattern):
            self._read_inside(command.words[-1], replace(command, words=command.words[:-1], exported=NO_WORDS))
            return
        for index, value in enumerate(values[:-2]):
            if value is not None and value.rpartition("/")[2] in _SHELLS:
                at = index + 1
                while at < len(values) - 1 and values[at] in ("-l", "-e", "-x", "-u", "-o", "pipefail", "--login"):
                    at += 1
                text = command.words[at + 1] if at + 1 < len(values) else None
                if text is None or not _COMMAND_OPTION.fullmatch(values[at] or ""):
                    return
                self._read_inside(text, replace(command, words=command.words[:index]))
                return

    def _read_inside(self, text: Word, outer: Command) -> None:
        open_parts = {f"_OPEN_{index}": part for index, part in enumerate(text.parts) if part.text is None}
        held = {name: Word((replace(part, is_from_outside=True),), part.location) for name, part in open_parts.items()}
        names = iter(open_parts)
        written = "".join(f"${{{next(names)}}}" if part.text is None else part.text for part in text.parts)
        if text.quote == "'":
            written, held = text.source, {}
        if text.is_open or (not outer.words and outer.per_task is not None):
            return
        exact = text.quote == "'" and text.location.end - text.location.start == len(written) + 2
        place = text.location
        excerpt = Excerpt(place.path, written, ((0, place.start + 1),), None if exact else place)
        self._read_in(excerpt, held, outer)

    def _read_in(self, excerpt: Excerpt, held: Mapping[str, Word], outer: Command) -> None:
        """The commands of a string that a shell reads which `outer` starts."""
        exported = dict(outer.exported) | dict(outer.prefix)
        if any(_RESIZES.match(word.head) for word in outer.words):
            exported = {name: word for name, word in exported.items() if not name.startswith("SLURM_")}
        found = read_shell(excerpt, exported, outer if outer.words else self.per_task, held=held)
        self.commands += (replace(each, arms=(*self._arms, *each.arms)) for each in found.commands)
        self.assignments += found.assignments
        self.here += found.here

    # --- words ---

    def _words(self, node: Node) -> Iterable[Word]:
        """The arguments that a piece of a command becomes."""
        inner = node
        if node.type == "string" and len(node.named_children) == 1:
            inner = node.named_children[0]
        array = self._array(inner)
        if array is not None:
            return array
        word = self._word(node)
        if _ALL.fullmatch(self._text(inner)):
            return [replace(word, may_split=True)]
        if node.type in ("simple_expansion", "expansion"):
            return list(split(word)) if word.parts else []
        return [word]

    def _array(self, node: Node) -> tuple[Word, ...] | None:
        """What `${name[@]}`, `$@` and `$*` mean, where that is known."""
        text = self._text(node)
        if text in ("$@", "$*", "${@}", "${*}"):
            return self.state.positional
        match = re.fullmatch(r"\$\{(\w+)\[[@*]\]\}", text)
        if match is None:
            match = re.fullmatch(r"\$\{?(\w+)\}?", text)
            if match is not None and not isinstance(self.state.values.get(match[1]), tuple):
                return None
        if match is None:
            return None
        value = self.state.values.get(match[1])
        return value if isinstance(value, tuple) else (value,) if isinstance(value, Word) else None

    def _word(self, node: Node) -> Word:
        parts = tuple(self._parts(node))
        place = self._place(node)
        unknown = len(parts) == 1 and parts[0].text is None
        quote = "'" if node.type == "raw_string" else ""
        bare = node.type in ("simple_expansion", "expansion", "command_substitution")
        if bare:
            place = around(parts, place)
        is_unread = node.has_error  # up to where, the grammar cannot tell
        return Word(parts, place, may_split=(unknown and bare) or is_unread, quote=quote)

    def _parts(self, node: Node) -> Iterator[Part]:
        kind, text = node.type, self._text(node)
        if kind in ("word", "number", "test_operator", "variable_name", "special_variable_name"):
            if re.search(r"(?<!\\)[*?]|^~|(?<!\\)\{.*,.*\}", text) and not text.startswith("--"):
                yield Part(None, text, self._place(node))
            else:
                yield Part(_ESCAPED.sub(lambda match: match[1] or "", text), text, self._place(node))
        elif kind == "raw_string":
            start, end = self._offset(node.start_byte) + 1, self._offset(node.end_byte) - 1
            text = self._as_written[node.start_byte + 1 : node.end_byte - 1].decode("utf-8", "replace")
            yield Part(text, text, self.excerpt.place(start, max(start, end)))
        elif kind == "string":
            yield from self._string(node)
        elif kind == "string_content":
            yield from self._quoted(node.start_byte, node.end_byte)
        elif kind in ("concatenation", "command_name"):
            for child in node.children:
                yield from self._parts(child)
        elif kind in ("simple_expansion", "expansion"):
            yield from self._expanded(node, text)
        elif kind == "arithmetic_expansion":
            number = computed(text[3:-2], self._number) if text.startswith("$((") else None
            yield Part(str(number) if number is not None else None, text, self._place(node))
        else:
            yield Part(None, text, self._place(node))

    def _string(self, node: Node) -> Iterator[Part]:
        """Text in double quotes; the grammar leaves out blanks beside what it holds."""
        at = node.start_byte + 1
        for child in node.children:
            if child.start_byte > at and child.type != '"':
                yield from self._quoted(at, child.start_byte)
            if child.type in ("simple_expansion", "expansion"):
                # A blank before it belongs to it, as the grammar has it, if another one ends there.
                text = self._text(child)
                blanks = len(text) - len(text.lstrip())
                if blanks:
                    yield from self._quoted(child.start_byte, child.start_byte + blanks)
                yield from self._expanded(child, text[blanks:])
                at = child.end_byte
            elif child.type not in ('"',):
                yield from self._parts(child)
                at = child.end_byte
            elif child.end_byte == node.end_byte and child.start_byte > at:
                yield from self._quoted(at, child.start_byte)

    def _quoted(self, start: int, end: int, escapes: re.Pattern[str] = _QUOTED) -> Iterator[Part]:
        """Text between double quotes; what is escaped by itself, so that all else is where it is written."""
        text = self.data[start:end].decode("utf-8", "replace")
        offset, at = self._offset(start), 0
        for escaped in escapes.finditer(text):
            if escaped.start() > at:
                yield self._piece(text[at : escaped.start()], None, offset + at)
            yield self._piece(escaped.group(), escaped[1] or "", offset + escaped.start())
            at = escaped.end()
        if at < len(text) or not text:
            yield self._piece(text[at:], None, offset + at)

    def _piece(self, written: str, meant: str | None, offset: int) -> Part:
        place = self.excerpt.place(offset, offset + len(written))
        return Part(written if meant is None else meant, written, place)

    def _expanded(self, node: Node, text: str) -> Iterator[Part]:
        place = self._place(node)
        unknown = Part(None, self._as_written[node.start_byte : node.end_byte].decode("utf-8", "replace"), place)
        plain = re.fullmatch(r"\$\{?(\w+)\}?", text)
        if plain is not None:
            yield from self._held(plain[1], unknown)
            return
        default = re.fullmatch(r"\$\{(\w+)(:?[-=])(.*)\}", text, re.DOTALL)
        if default is None or default[1].isdigit():
            yield unknown
            return
        name, value = default[1], self.state.values.get(default[1])
        if value is not None:
            yield from self._held(name, unknown)
            return
        children = [each for each in node.named_children if each.type != "variable_name"]
        if self._defaults > _DEEPEST:
            yield unknown
            return
        self._defaults += 1
        found = [replace(part, is_default=True) for child in children for part in self._parts(child)]
        self._defaults -= 1
        if default[3] in ('""', "''"):
            found = [Part("", text, place, is_default=True)]
        elif default[3] and not found:
            found = [Part(None, text, place)]
        yield from found
        if default[2].endswith("="):
            self.state.values[name] = Word(tuple(found), place)

    def _number(self, name: str) -> int | None:
        """The whole number that a variable holds, where it is known."""
        value = self.state.values.get(name)
        text = value.value if isinstance(value, Word) else None
        return int(text) if text is not None and _WHOLE.fullmatch(text) else None

    def _held(self, name: str, unknown: Part) -> Iterator[Part]:
        if name.isdigit():
            at, known = int(name) - 1, self.state.positional
            if known is None or not 0 <= at < len(known):
                yield unknown
            else:
                yield from known[at].parts
            return
        value = self.state.values.get(name)
        if isinstance(value, tuple):
            value = value[0] if value else None
        if value is None:
            yield unknown
        else:
            yield from value.parts


def _is_huge(value: Value) -> bool:
    """Whether a value is longer than a person means it to be: each of a few lines can make it ten times as long."""
    words = value if isinstance(value, tuple) else (value,)
    parts = [part for word in words for part in word.parts]
    return len(parts) > _MOST_PARTS or sum(len(part.source) for part in parts) > _LONGEST


def _written(value: Value | None) -> object:
    """What makes two values the same."""
    if isinstance(value, tuple):
        return tuple(_written(each) for each in value)
    return (value.value, value.source) if value is not None else None


def _is_computation(node: Node) -> bool:
    """Whether a statement is `((n++))`."""
    return node.type == "compound_statement" and bool(node.children) and node.children[0].type == "(("


def is_shell(name: str) -> bool:
    """Whether a command of this name reads commands of its own."""
    return name in _SHELLS


__all__ = ["Assignment", "ShellText", "is_shell", "read_shell"]
