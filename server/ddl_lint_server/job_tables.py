"""Launch lines, as the server tells of them: how many ranks, above each; and a table of all."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from ddl_lint_server import rank_traces
from ddl_lint_server.documents import Subject
from ddl_lint_server.messages import AskJobs, AskLaunches, Launches, LaunchLine, SvgAnswer, TextAnswer
from ddl_lint_server.protocol import refusal
from ddl_lint_server.state import Server
from ddl_lint_server.texts import uri_of
from ddl_lint_server.worker import WorkerError

SHOW = "ddl-lint.server.showJobs"
"""The command that shows the table of jobs. Arguments: URI, and the line of the launch from 0."""

FORMATS = ("html", "json", "svg", "text")


async def table(ls: Server, uri: str, format: str, line: int = -1) -> SvgAnswer:
    """The jobs around a document; of the whole workspace without one. Raises the refusal where there are none."""
    path = ls.documents.path(uri) if uri else ""
    if uri and not path:
        raise refusal(f"{uri} is no file")
    answer = await ls.ask(AskJobs(path, format, line))
    if isinstance(answer, SvgAnswer):
        return answer
    raise refusal(answer.text if isinstance(answer, TextAnswer) else "there is no table")


async def launch_lines(ls: Server, subject: Subject) -> Sequence[LaunchLine]:
    """The launch lines of the present text of a document."""
    if subject.notebook is not None:
        return ()
    try:
        answer = await ls.ask(AskLaunches(subject.path))
    except WorkerError as error:
        ls.log(f"{subject.path}: nothing is known of its launches: {error}")
        return ()
    present = ls.documents.of(subject.uri)
    if not isinstance(answer, Launches) or present is None or present.stamp != answer.stamp:
        return ()
    return answer.lines


def lenses(uri: str, launch: LaunchLine) -> list[types.CodeLens]:
    """What is shown above a launch line: how many ranks it starts, and the way to what they do."""
    at = types.Range(types.Position(launch.line, 0), types.Position(launch.line, 0))
    found = [types.CodeLens(at, types.Command(title=launch.title, command=SHOW, arguments=[uri, launch.line]))]
    if launch.script:
        found.append(types.CodeLens(at, rank_traces.command(uri_of(launch.script))))
    return found
