"""What a rule's fix asks of the project: the files it edits, and how code of a framework says a thing."""

from __future__ import annotations

from ddl_lint.analysis.view import ProjectView
from ddl_lint.fixes.file import File, Place
from ddl_lint.fixes.offer import Unfixable
from ddl_lint.fixes.wording import Wording, word
from ddl_lint.source.span import Location


def file_of(project: ProjectView, location: Location) -> File:
    """The file of a location.

    Raises:
        Unfixable: its text or its program is not at hand.
    """
    document, module = project.documents.get(location.path), project.modules.get(location.path)
    if document is None or module is None:
        raise Unfixable("the file cannot be read")
    return File(document, module)


def say(project: ProjectView, place: Place, api: str, idiom: str, **holes: str) -> Wording:
    """How code says a thing in the framework of `api`: an idiom of its model, in the names of the file.

    Args:
        project: The project.
        place: Where the code is to stand.
        api: The canonical name of something of the framework, such as that of an event.
        idiom: A word of `ddl_lint.frameworks.model.IDIOMS`.
        holes: The texts for its holes.

    Raises:
        Unfixable: the framework has no such idiom, or the file no room for its imports.
    """
    framework = project.api.frameworks.get(api.partition(".")[0], "")
    template = project.api.idiom(framework, idiom)
    if template is None:
        raise Unfixable("there is no usual code for it in this framework")
    return word(place, template, holes, project.api.spellings, project.api.canonical)
