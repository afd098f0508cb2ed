"""The page about what rules are written against, for the documentation."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module

from ddl_lint import rulekit
from ddl_lint.domain.objects import Given, Trait
from ddl_lint.program.kinds import KINDS
from ddl_lint.program.role import Role
from ddl_lint.program.trace import Event
from ddl_lint.rulekit import domain, match

_HEAD = f"""\
# The rulekit

<!-- made by python -m ddl_lint.pages.docs -->

What a rule imports: `from ddl_lint.rulekit import Finding, RunView, match`. This is version {rulekit.API_VERSION}.
[How to write a rule](contributing.md#add-a-rule) begins with `ddl-lint new-rule`.

```text
{(rulekit.__doc__ or "").strip()}
```

`RunView` is one run of a program. `run.events(Collective)` returns its events of a kind in order; each has a
`location`, a `context` (what is around it), and its [roles](#events) as attributes: `event.tensor` is a value, or None
where the call gives none. `run.heap.at(event.order)` knows what was true of objects then. An `Object` among the values
has a `kind` (`model`, `loader`), what it was `given`, and `traits`: words of the API models, which
[extending](extending.md) describes and `ddl_lint_rules/models/*.yaml` uses.
"""

_EVENTS = """\
The kinds of events, each with its word for `events` in `rule.yaml`, and its roles.

```python
from ddl_lint.rulekit import RunView, is_constant
from ddl_lint.rulekit.events import SetEpoch

for event in run.events(SetEpoch):
    if is_constant(event.epoch, 0):
        yield Finding("the order of the data is the same in each epoch", event.location)
```
"""


_DOMAIN = """\
What several rules ask in the field's own terms, from `ddl_lint.rulekit.domain`.

```python
from ddl_lint.rulekit.domain import Count, quantity
from ddl_lint.rulekit.events import BuildSampler

for event in run.events(BuildSampler):
    if quantity(event.replicas).is_surely(Count.NODE, Count.DEVICES):
        yield Finding("the sampler counts one node only", event.location)
```
"""


def rulekit_document() -> str:
    """All names with what they say of themselves, the domain, the forms of `match`, and the events with their roles."""
    return "\n".join([_HEAD, *_names(), *_domain(), *_forms(), *_events()]) + "\n"


def _names() -> Iterator[str]:
    yield "## Names\n"
    for module, names in rulekit.NAMES.items():
        if module not in ("ddl_lint.program", "ddl_lint.domain"):
            yield f"**{_first_line(import_module(module))}**\n"
        yield from (_line(name, getattr(rulekit, name)) for name in names)
        yield ""


def _domain() -> Iterator[str]:
    yield "## Domain\n"
    yield _DOMAIN
    for name, thing in vars(domain).items():
        if getattr(thing, "__module__", "").startswith("ddl_lint.domain."):
            yield _line(name, thing)
            yield from _members(thing) if inspect.isclass(thing) else ()
    yield ""


def _members(thing: type) -> Iterator[str]:
    """The methods and properties of a class, in the order in which they are written; what a view is given in a line."""
    read = [f"`{name}`" for name, member in vars(thing).items() if isinstance(member, (Given, Trait))]
    if read:
        yield f"  - {', '.join(read)}"
    for name, member in vars(thing).items():
        if isinstance(member, property) and not name.startswith("_"):
            yield f"  - `{name}`: {_first_line(member)}"
        elif inspect.isfunction(member) and not name.startswith("_"):
            yield f"  - `{name}({', '.join([*inspect.signature(member).parameters][1:])})`: {_first_line(member)}"


def _forms() -> Iterator[str]:
    yield "## Forms of values\n"
    yield f"{_first_line(match)} Each of these gives the parts where a value has the form, else None.\n"
    for name, form in vars(match).items():
        if inspect.isfunction(form) and form.__module__ == match.__name__ and not name.startswith("_"):
            yield _line(f"match.{name}", form)
    yield ""


def _events() -> Iterator[str]:
    yield "## Events\n"
    yield _EVENTS
    for each, kind in KINDS.items():
        roles = ", ".join(f"`{name}`" for name in _attributes(each))
        yield f"- `{each.__name__}` (`{kind}`): {_first_line(each)}" + (f" Roles: {roles}." if roles else "")


def _attributes(kind: type[Event]) -> Iterator[str]:
    for base in (kind, *kind.__bases__):
        yield from (name for name, role in vars(base).items() if isinstance(role, Role))


def _line(name: str, thing: object) -> str:
    call = f"({', '.join(inspect.signature(thing).parameters)})" if inspect.isfunction(thing) else ""
    documented = inspect.isfunction(thing) or inspect.isclass(thing) or inspect.ismodule(thing)
    return f"- `{name}{call}`" + (f": {_first_line(thing)}" if documented else "")


def _first_line(thing: object) -> str:
    return " ".join((inspect.getdoc(thing) or "").partition("\n\n")[0].split())
