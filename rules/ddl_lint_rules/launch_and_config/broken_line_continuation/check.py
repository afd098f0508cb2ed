"""Finds commands that are the rest of a launch."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Command, Evidence, Finding, JobsView, JobText, Location, inserting, replacing

_STARTS = frozenset(
    ("torchrun", "python", "python3", "accelerate", "deepspeed", "horovodrun", "mpirun", "mpiexec", "srun", "docker")
)


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per cut, where the second half begins, or at the blank after a backslash."""
    for text in project.jobs.texts:
        before: Command | None = None
        for command in text.shell.commands:
            is_rest = before is not None and _is_rest(command, before, text)
            blank = list(_escaped_blank(text, command))
            yield from blank
            if before is not None and is_rest:
                yield _cut(project, text, before, command)
            before = command if (_starts(command) or is_rest) and not blank else None


def _starts(command: Command) -> bool:
    return any((word.value or "").rpartition("/")[2] in _STARTS for word in command.words[:6])


def _is_rest(command: Command, before: Command, text: JobText) -> bool:
    """Whether a command begins with an option, in the line below another one."""
    if not command.words[0].head.startswith("-") or command.words[0].location.path != text.file.path:
        return False
    above = text.file.text[: command.words[0].location.start].rstrip(" \t")
    if above.endswith("\\\n"):
        return False  # it is continued; the shell reads more than we do
    between = text.file.text[before.location.end : command.location.start]
    lines = [line.strip() for line in between.split("\n")]
    return len(lines) > 1 and all(not line or line.startswith("#") for line in lines[1:-1]) and not lines[-1]


def _cut(project: JobsView, text: JobText, before: Command, command: Command) -> Finding:
    end = before.location.end
    between = text.file.text[end : command.location.start]
    fix = None
    if between.strip() == "" and between.count("\n") == 1:
        fix = inserting("Add a backslash at the end of the line", text.file.path, end, " \\")
    what = before.words[0].source
    return Finding(
        f"`{what}` (line {project.line(before.location)}) ends before this line; its options are lost",
        command.words[0].location,
        (Evidence("the command ends here, without a backslash", Location(text.file.path, max(end - 1, 0), end)),),
        fix=fix,
        unfixable="" if fix else "there is a comment between the lines",
        help="End the line above with a backslash.",
    )


def _belongs(line: str, source: str, start: int) -> bool:
    """Whether a line is the rest of the command that begins above it: an option, or indented deeper than that."""
    if not line.strip() or line.lstrip().startswith("#"):
        return False
    first = source[source.rfind("\n", 0, start) + 1 : start]
    own, above = (len(each) - len(each.lstrip(" \t")) for each in (line, first + "."))
    return line.lstrip().startswith("-") or own > above


def _escaped_blank(text: JobText, command: Command) -> Iterable[Finding]:
    """A backslash before blanks does not continue the line: it makes a word of a blank. Docker continues it, unless the
    shell gets the lines as they are.
    """
    if not _starts(command) or command.location.path != text.file.path:
        return
    if text.file.kind == "dockerfile" and "<<" not in text.file.text:
        return
    source = text.file.text
    start, end = command.location.start, command.location.end
    line_end = source.find("\n", end)
    rest = source[start : line_end if line_end >= 0 else len(source)]
    at = rest.rfind("\\")
    tail = rest[at + 1 :]
    if at < 0 or not tail or "\n" in tail or not tail[0].isspace():
        return
    if tail.strip() and not tail.lstrip().startswith("#"):
        return
    place = Location(text.file.path, start + at, start + at + 1 + len(tail) - len(tail.lstrip(" \t")))
    following = source[line_end + 1 :].split("\n", 1)[0] if line_end >= 0 else ""
    if not _belongs(following, source, start):
        return
    fix = None
    if not tail.strip():
        fix = replacing("Remove the blank after the backslash", Location(place.path, place.start, place.end), "\\")
    what = "the options below are" if following.lstrip().startswith("-") else "what is below is"
    message = f"a blank after the backslash ends the command; {what} lost"
    yield Finding(
        message,
        place,
        fix=fix,
        unfixable="" if fix else "there is a comment after the backslash",
        help="Remove the blank after the backslash.",
    )
