"""What a rule's fix asks of the project: the files it edits, and how code of a framework says a thing."""

from __future__ import annotations

from ddl_lint.analysis.view import ProjectContext, RunView
from ddl_lint.fixes.python import arguments
from ddl_lint.fixes.python.file import File, Place
from ddl_lint.fixes.python.wording import Wording, word
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.frameworks.model import HOME, FunctionModel
from ddl_lint.program import code
from ddl_lint.source.span import Location


def file_of(run: RunView, location: Location) -> File:
    """The file of a location.

    Raises:
        Unfixable: its text or its program is not at hand.
    """
    document, module = run.documents.get(location.path), run.module_at(location.path)
    if document is None or module is None:
        raise Unfixable("the file cannot be read")
    files = run.project_context.once(_files)
    if location.path not in files:
        files[location.path] = File(document, module)
    return files[location.path]


def _files(project_context: ProjectContext) -> dict[str, File]:
    """The files that were asked for in this check: what is found out about one is for all fixes in it."""
    del project_context
    return {}


def render_idiom(run: RunView, place: Place, api: str, idiom: str, **holes: str) -> Wording:
    """How code says a thing in the framework of `api`: an idiom of its model, in the names of the file.

    Args:
        run: The run in which the fault is.
        place: Where the code is to be.
        api: The canonical name of something of the framework, such as that of an event.
        idiom: A word of `ddl_lint.frameworks.model.IDIOMS`.
        holes: The texts for its holes.

    Raises:
        Unfixable: the framework has no such idiom, or the file no place for its imports.
    """
    framework = run.api.frameworks.get(api.partition(".")[0], "")
    template = run.api.idiom(framework, idiom)
    if template is None:
        raise Unfixable("there is no usual code for it in this framework")
    home = api.rpartition(".")[0]
    while run.api.class_(home) is not None:
        home = home.rpartition(".")[0]
    template = template.replace(f"{{{HOME}}}", home)
    return word(place, template, holes, run.api.spellings, run.api.canonical)


def parameter_of(run: RunView, api: str, role: str) -> str | None:
    """The parameter that gives a role of the event of a call; None where the call has none."""
    model = _function(run, api)
    name = None if model is None else model.roles.get(role)
    known = {each.name for each in model.parameters or ()} if model is not None else set[str]()
    return name if name in known else None


def argument_of(run: RunView, api: str, call: code.Call, role: str) -> code.Keyword | code.Expression | None:
    """What a written call gives for a role of its event: a keyword argument, or one by its place.

    Raises:
        Unfixable: it comes after `*arguments`, so that it is unknown which one it is.
    """
    name = parameter_of(run, api, role)
    return None if name is None else given_for(run, api, call, name)


def written_argument(run: RunView, api: str, call: code.Call, name: str) -> code.Expression | None:
    """The expression that a written call gives for a parameter. Raises as `argument_of`."""
    given = given_for(run, api, call, name)
    return None if given is None else arguments.value_of(given)


def given_for(run: RunView, api: str, call: code.Call, name: str) -> code.Keyword | code.Expression | None:
    """What a written call gives for a parameter: a keyword argument, or one by its place. Raises as `argument_of`."""
    given = arguments.keyword(call, name)
    if given is not None:
        return given
    model = _function(run, api)
    positional = [each.name for each in (model.parameters or ()) if each.kind == "positional"] if model else []
    index = positional.index(name) if name in positional else len(call.args)
    if any(isinstance(each, code.Starred) for each in call.args[: index + 1]):
        raise Unfixable("its arguments are passed as `*arguments`")
    return call.args[index] if index < len(call.args) else None


def method_for(run: RunView, api: str, event: str) -> str | None:
    """The name of the method of a class that is an event of a kind: how an epoch is set on an object, say."""
    model = run.api.class_(api)
    for ancestor in run.api.ancestors(model) if model is not None else ():
        for name, method in ancestor.methods.items():
            if method.event == event:
                return name
    return None


def attribute_for(run: RunView, api: str, role: str) -> str | None:
    """The name of the attribute of a class that holds what its constructor was given for a role."""
    model = run.api.class_(api)
    if model is None:
        return None
    parameter = parameter_of(run, api, role) or role
    for ancestor in run.api.ancestors(model):
        for name, returns in ancestor.attributes.items():
            if returns.kind == "argument" and returns.value == parameter:
                return name
    return None


def _function(run: RunView, api: str) -> FunctionModel | None:
    made = run.api.class_(api)
    return run.api.function(api) if made is None else made.constructor


def positional_of(run: RunView, api: str) -> tuple[str, ...]:
    """The parameters of a call that may be given by position, in their order."""
    model = _function(run, api)
    known = () if model is None else model.parameters or ()
    return tuple(parameter.name for parameter in known if parameter.kind == "positional")


def documents_of(run: RunView, api: str) -> tuple[str, ...]:
    """The parameters of a call that may be given a configuration, or a file with one."""
    model = _function(run, api)
    known = {each.name for each in model.parameters or ()} if model is not None else set[str]()
    places = () if model is None else (place for each in model.documents.values() for place in each)
    return tuple(place for place in places if place in known)
