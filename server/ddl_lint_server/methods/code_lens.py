"""The client asks what to show above the lines of a document: what a launch line starts, and a way to the trace at
findings of ranks that part.
"""

from __future__ import annotations

from lsprotocol import types

from ddl_lint_server.job_tables import launch_lines, lenses
from ddl_lint_server.rank_traces import command, is_shown
from ddl_lint_server.state import Server

METHOD = types.TEXT_DOCUMENT_CODE_LENS
OPTIONS = types.CodeLensOptions()


async def handle(ls: Server, params: types.CodeLensParams) -> list[types.CodeLens] | None:
    """Lenses for launch lines, and one for each line with such findings; None if the document is not open or has been
    closed meanwhile.
    """
    uri = params.text_document.uri
    subject = ls.documents.of(uri)
    if subject is None:
        return None
    checked = await ls.schedule.latest(subject.path)
    present = ls.documents.of(uri)
    if checked is None or present is None or present.stamp != checked.stamp:
        return None
    cell = ls.documents.cell(uri)
    lines = {each.place.start_line for each in checked.found if each.place.cell == cell and is_shown(ls, each)}
    found = [
        types.CodeLens(types.Range(types.Position(line, 0), types.Position(line, 0)), command(uri, line))
        for line in sorted(lines)
    ]
    if ls.can.shows_documents:
        found += [lens for launch in await launch_lines(ls, present) for lens in lenses(uri, launch)]
    return found
