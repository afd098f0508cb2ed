"""Reading model files: what they mean, and what a mistake in them is told like."""

from __future__ import annotations

from textwrap import dedent

import jsonschema
import pytest
import yaml

from ddl_lint.frameworks.errors import ModelError
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.frameworks.loader import load_models, parse_parameters
from ddl_lint.frameworks.model import (
    Backend,
    ClassModel,
    Condition,
    FunctionModel,
    Hooks,
    Parameter,
    Question,
    Returns,
    Starts,
)
from ddl_lint.frameworks.schema import model_schema

BASE = """\
functions:
  comms.all_sum:
    also: [comms.impl.all_sum]
    parameters: tensor, op="sum", *, group=None
    event: collective
    roles: {reduction: op}
    constants: {operation: all_reduce}
    requires: process_group
    uniform: [tensor]
classes:
  comms.Wrapper:
    kind: model
    parameters: [module, group=None]
    event: wrap_model
    roles: {model: module}
    attributes: {module: {argument: module}}
    traits: {wrapper: ddp, state_dict_prefix: "module."}
    methods:
      to: {parameters: "device=None", places: {object: self, device: device}, returns: self}
  comms.FastWrapper:
    bases: [comms.Wrapper]
    traits: {sharded: true}
"""


def index_of(*texts: str) -> ApiIndex:
    return ApiIndex.of(load_models({f"models{number}.yaml": text for number, text in enumerate(texts)}))


def test_a_function() -> None:
    function = index_of(BASE).function("comms.impl.all_sum")
    assert function is not None and function.name == "comms.all_sum"
    assert function.roles == {"tensor": "tensor", "reduction": "op", "group": "group"}
    assert function.constants == {"operation": "all_reduce"}
    assert function.requires == {"process_group"}
    assert function.uniform == ("tensor",)


def test_a_class_takes_over_what_its_base_says() -> None:
    index = index_of(BASE)
    fast = index.class_("comms.FastWrapper")
    assert fast is not None and fast.kind == "model"
    assert fast.constructor.event == "wrap_model" and fast.constructor.roles["model"] == "module"
    assert fast.traits == {"wrapper": "ddp", "state_dict_prefix": "module.", "sharded": True}
    assert index.attribute(fast, "module") == Returns("argument", "module")
    to = index.method(fast, "to")
    assert to is not None and to.event == "place"
    assert index.function("comms.FastWrapper.to") is to


def test_file_name_and_top_level_names_stand_in_for_what_is_not_said() -> None:
    (models,) = load_models({"some/where/mylib.yaml": BASE})
    assert (models.framework, models.packages) == ("mylib", ("comms",))


def test_an_event_of_its_own_with_the_signature_of_the_base() -> None:
    text = (
        BASE
        + """\
  comms.Odd:
    bases: [comms.Wrapper]
    event: prepare
    roles: {object: module}
"""
    )
    odd = index_of(text).class_("comms.Odd")
    assert odd is not None and odd.constructor.roles == {"object": "module"}
    with pytest.raises(ModelError, match="unknown parameter 'modul'; did you mean 'module'"):
        index_of(text.replace("object: module", "object: modul"))


def test_modules_that_re_export() -> None:
    index = index_of("modules: {old.comms: comms}\n" + BASE)
    assert index.canonical("old.comms.Wrapper") == "comms.Wrapper"
    assert index.canonical("old.comms.deeper.Wrapper") is None


def test_same_as_an_existing_function() -> None:
    base = index_of(BASE)
    text = "functions: {mylib.dist.total: {same_as: comms.impl.all_sum}}"
    (user,) = load_models({"user.yaml": text}, base)
    function = user.models["mylib.dist.total"]
    known = base.function("comms.all_sum")
    assert isinstance(function, FunctionModel) and known is not None
    assert (function.event, function.roles, function.uniform) == (known.event, known.roles, known.uniform)
    assert function.name == "mylib.dist.total"


def test_same_as_with_another_signature() -> None:
    text = """
    functions:
      mylib.total: {same_as: comms.all_sum, parameters: "how, value", roles: {tensor: value}}
    """
    (user,) = load_models({"user.yaml": dedent(text)}, index_of(BASE))
    function = user.models["mylib.total"]
    assert isinstance(function, FunctionModel)
    assert function.roles == {"tensor": "value"}
    assert function.uniform == ()


def test_same_as_a_class() -> None:
    base = index_of(BASE)
    (user,) = load_models({"user.yaml": "classes: {mylib.DDP: {same_as: comms.Wrapper}}"}, base)
    index = ApiIndex.of([*load_models({"base.yaml": BASE}), user])
    model = index.class_("mylib.DDP")
    assert isinstance(model, ClassModel) and model.constructor.event == "wrap_model"
    assert index.is_subclass("mylib.DDP", "comms.Wrapper")


def test_a_user_may_replace_what_is_shipped() -> None:
    user = load_models({"user.yaml": "functions: {comms.all_sum: {event: collective}}"}, index_of(BASE))
    function = ApiIndex.of([*load_models({"base.yaml": BASE}), *user]).function("comms.all_sum")
    assert function is not None and function.constants == {}


@pytest.mark.parametrize(
    ("written", "parsed"),
    [
        ("self", Returns("self")),
        ("{argument: fn}", Returns("argument", "fn")),
        ("{first_argument: true}", Returns("first_argument")),
        ("{rank: local}", Returns("rank", "local")),
        ("{main_process: global}", Returns("main_process", "global")),
        ("device_count", Returns("device_count")),
        ("{text: {rank: local}}", Returns("text", Returns("rank", "local"))),
        ("{constant: null}", Returns("constant", None)),
        ("{constant: [1, a]}", Returns("constant", (1, "a"))),
        ("{flag: distributed}", Returns("flag", "distributed")),
        ("{environment: fn, default: args}", Returns("environment", "fn", {"default": Returns("argument", "args")})),
        ("{tuple: [self, unknown]}", Returns("tuple", (Returns("self"), Returns("unknown")))),
        ("{list_of: {element_of: args}}", Returns("list_of", Returns("element_of", "args"))),
        ("{table: {a: self}}", Returns("table", None, {"a": Returns("self")})),
        ("{encoded: {argument: fn}}", Returns("encoded", Returns("argument", "fn"))),
        ("{decoded: fn}", Returns("decoded", "fn")),
        ("{per_rank: [self, unknown]}", Returns("per_rank", (Returns("self"), Returns("unknown")))),
        (
            "{per_rank: [self, unknown], if: chief}",
            Returns("per_rank", (Returns("self"), Returns("unknown")), {"if": Returns("flag", "chief")}),
        ),
        ("{rank_is: fn}", Returns("rank_is", "fn")),
        (
            "{rank_is: fn, scope: local, default: 0}",
            Returns("rank_is", "fn", {"scope": Returns("rank", "local"), "default": Returns("constant", 0)}),
        ),
        ("{guarded: {main_process: last}}", Returns("guarded", Returns("main_process", "last"))),
        (
            "{guarded: {main_process: local}, function: {argument: fn}}",
            Returns("guarded", Returns("main_process", "local"), {"function": Returns("argument", "fn")}),
        ),
        ("{module_of: fn}", Returns("module_of", "fn")),
        ("{arguments: true}", Returns("arguments")),
        (
            "{arguments: true, models: lib.Thing}",
            Returns("arguments", None, {"models": Returns("instance", "lib.Thing")}),
        ),
        ("{derived: [fn, self]}", Returns("derived", ("fn", "self"))),
        ("{instance: state_dict, of: self}", Returns("instance", "state_dict", {"of": Returns("self")})),
        ("{instance: lib.alias.Thing}", Returns("instance", "lib.Thing")),
    ],
)
def test_returns(written: str, parsed: Returns) -> None:
    index = index_of(
        dedent(f"""\
        classes:
          lib.Thing:
            also: [lib.alias.Thing]
            methods:
              method: {{parameters: "fn, *args", returns: {written}}}
        """)
    )
    method = index.function("lib.Thing.method")
    assert method is not None and method.returns == parsed


def test_families() -> None:
    index = index_of(
        dedent("""\
        families: {'lib\\.(\\w+\\.)?\\w+Net': lib.Net}
        classes:
          lib.Net: {}
          lib.OtherNet: {}
        """)
    )
    assert [index.canonical(name) for name in ("lib.zoo.BigNet", "lib.Network", "lib.OtherNet")] == [
        *("lib.Net", None, "lib.OtherNet")
    ]
    assert [index.is_one_of_many(name) for name in ("lib.BigNet", "lib.OtherNet", "lib.Net", "lib.x")] == [
        *(True, False, False, False)
    ]


def test_what_a_call_starts() -> None:
    index = index_of(
        dedent("""\
        functions:
          lib.spawn:
            parameters: fn, args=(), nprocs=1
            event: start_processes
            roles: {function: fn, arguments: args, processes: nprocs}
            starts: {function: fn, arguments: args, leading: [{rank: local}]}
          lib.later: {parameters: fn, calls: {function: fn}}
        """)
    )
    spawn, later = index.function("lib.spawn"), index.function("lib.later")
    assert spawn is not None and spawn.starts == Starts("fn", "args", None, (Returns("rank", "local"),))
    assert later is not None and later.calls == "fn"


def test_requirements_that_arguments_lift() -> None:
    index = index_of(
        dedent("""\
        functions:
          lib.shard: {parameters: "n=None, k=None", requires: {process_group: {unless_given: [n, k]}}}
        """)
    )
    function = index.function("lib.shard")
    assert function is not None and function.requires == {"process_group"}
    assert function.requires_unless == {"process_group": ("n", "k")}


def test_conditions_on_arguments() -> None:
    text = """\
    functions:
      lib.save: {parameters: "path, alone=False", event: save, collective_when: {always: {unless: {alone: true}}}}
    classes:
      lib.Engine:
        parameters: "config=None, plugin=None"
        traits:
          sharded: {if: {config.zero.stage: [3, auto], plugin: {trait: sharded}}, unless: {plugin: {given: true}}}
        hooks: {pattern: on_.*, arguments: [{instance: lib.Engine}, unknown]}
      lib.Fast: {bases: [lib.Engine]}
    """
    index = index_of(dedent(text))
    save, fast = index.function("lib.save"), index.class_("lib.Fast")
    assert save is not None and fast is not None
    assert (save.collective_when, save.collective_if) == ("always", Condition(unless=(Question("alone", value=True),)))
    stage = ("zero", "stage")
    assert fast.traits["sharded"] == Condition(
        (Question("config", stage, 3), Question("config", stage, "auto"), Question("plugin", trait="sharded")),
        (Question("plugin", given=True),),
    )
    assert index.hooks(fast) == Hooks("on_.*", (Returns("instance", "lib.Engine"), Returns("unknown")))
    jsonschema.validate(yaml.safe_load(dedent(text)), model_schema())


def test_parameters() -> None:
    assert parse_parameters("a, b=1, *rest, c, d=..., **more") == (
        Parameter("a"),
        Parameter("b", 1, False),
        Parameter("rest", (), False, "var_positional"),
        Parameter("c", None, True, "keyword"),
        Parameter("d", ..., False, "keyword"),
        Parameter("more", None, False, "var_keyword"),
    )
    assert parse_parameters("a, /, b, *, c=-1.5")[2] == Parameter("c", -1.5, False, "keyword")
    assert parse_parameters("") == ()


MISTAKES = [
    ("functions: {a.f: {event: colective}}", 1, "functions.a.f.event", "did you mean 'collective'"),
    ("functions:\n  a.f:\n    evnt: seed\n", 3, "functions.a.f.evnt", "did you mean 'event'"),
    ("functions:\n  a.f: {event: save, roles: {pth: f}}\n", 2, "functions.a.f.roles.pth", "did you mean 'path'"),
    (
        "functions:\n  a.f:\n    parameters: tensor\n    event: save\n    roles:\n      path: tenser\n",
        6,
        "functions.a.f.roles.path",
        "unknown parameter 'tenser'; did you mean 'tensor'",
    ),
    ("functions:\n  a.f: {requires: proces_group}", 2, "functions.a.f.requires", "did you mean 'process_group'"),
    ("functions:\n  a.f: {provides: [sampler, lunch]}", 2, "functions.a.f.provides[1]", "did you mean 'launch'"),
    ("classes:\n  a.C: {kind: modle}", 2, "classes.a.C.kind", "did you mean 'model'"),
    ("classes:\n  a.C: {traits: {wraper: ddp}}", 2, "classes.a.C.traits.wraper", "did you mean 'wrapper'"),
    ("classes:\n  a.C: {traits: {sharded: 1}}", 2, "classes.a.C.traits.sharded", "expected a bool"),
    ("classes:\n  a.Base: {}\n  a.C: {bases: [a.Bse]}", 3, "classes.a.C.bases[0]", "did you mean 'a.Base'"),
    ("classes:\n  a.C: {bases: [a.C]}", 2, "classes.a.C", "derived from itself"),
    ("functions:\n  a.f: {}\n  a.f: {}\n", 3, "functions.a.f", "duplicate name 'a.f', first on line 2"),
    ("functions:\n  a.f: {}\n  a.g: {also: [a.f]}\n", 3, "functions.a.g.also[0]", "duplicate name 'a.f'"),
    ("functions: {a.f: {parameters: 'a=b'}}", 1, "functions.a.f.parameters", "write a=..."),
    ("functions: {a.f: {parameters: 'a b'}}", 1, "functions.a.f.parameters", "as Python writes it"),
    ("functions: {a.f: {returns: {rank: globl}}}", 1, "functions.a.f.returns.rank", "did you mean 'global'"),
    ("functions: {a.f: {returns: rank}}", 1, "functions.a.f.returns", "needs a value"),
    ("functions: {a.f: {returns: {per_rank: [self]}}}", 1, "functions.a.f.returns.per_rank", "expected two results"),
    ("functions: {a.f: {together: always}}", 1, "functions.a.f.together", "'together' is now called 'collective_when'"),
    (
        "functions: {a.f: {collective_when: buffers}}",
        1,
        "functions.a.f.collective_when",
        "'buffers' is now called 'has_buffers'",
    ),
    ("functions: {a.f: {event: take_over}}", 1, "functions.a.f.event", "'take_over' is now called 'delegate'"),
    ("backends: {fast: {devices: [tpu]}}", 1, "backends.fast.devices[0]", "unknown kind of device 'tpu'"),
    ("backends: {fast: {speed: 3}}", 1, "backends.fast.speed", "unknown key 'speed'"),
    ("tensors: {factory: [cat]}", 1, "tensors.factory", "did you mean 'factories'"),
    ("functions: {a.f: {collective_when: alwys}}", 1, "functions.a.f.collective_when", "did you mean 'always'"),
    (
        "functions: {a.f: {collective_when: {always: {}}}}",
        1,
        "functions.a.f.collective_when.always",
        "needs 'if', 'unless' or 'job'",
    ),
    (
        "functions: {a.f: {parameters: b, collective_when: {always: {if: {a: 1}}}}}",
        1,
        "functions.a.f.collective_when.always.if.a",
        "unknown parameter 'a'",
    ),
    (
        "classes: {a.C: {traits: {sharded: {if: {a: {trait: sharp}}}}}}",
        1,
        "classes.a.C.traits.sharded.if.a.trait",
        "trait",
    ),
    ("classes: {a.C: {traits: {sharded: {if: {a: {given: no}}}}}}", 1, "classes.a.C.traits.sharded.if.a.given", "true"),
    ("classes: {a.C: {hooks: {arguments: []}}}", 1, "classes.a.C.hooks", "needs a 'pattern'"),
    ("functions: {a.f: {returns: {rnk: global}}}", 1, "functions.a.f.returns", "did you mean 'rank'"),
    ("functions: {a.f: {returns: {instance: tensr}}}", 1, "functions.a.f.returns.instance", "did you mean 'tensor'"),
    ("functions: {a.f: {since: 2.10}}", 1, "functions.a.f.since", "version in quotes"),
    ("functions: {a.f: {roles: {path: f}}}", 1, "functions.a.f.roles", "without an 'event'"),
    ("functions: {a.f: {same_as: b.g}}", 1, "functions.a.f.same_as", "unknown function 'b.g'"),
    (
        "functions: {a.g: {}, a.f: {same_as: a.g, event: seed}}",
        1,
        "functions.a.f.event",
        "cannot be combined with 'same_as'",
    ),
    ("functions: {a.f: {same_as: a.g}, a.g: {same_as: a.f}}", 1, "functions.a.f", "derived from itself"),
    ("modules: {a: b, b: c}", 1, "modules.a", "itself a module that re-exports"),
    ("names: {rank_globl: [r]}", 1, "names.rank_globl", "did you mean 'rank_global'"),
    ("helpers: {launch: ['(']}", 1, "helpers.launch[0]", "not a regular expression"),
    ("environment: {RANK: {rank: glbal}}", 1, "environment.RANK.rank", "did you mean 'global'"),
    ("functions: [a.f]", 1, "functions", "expected a mapping"),
    ("functions: {not a name: {}}", 1, "functions.not a name", "not a dotted name"),
]


@pytest.mark.parametrize(("text", "line", "key", "problem"), MISTAKES)
def test_a_mistake_is_told_with_its_place(text: str, line: int, key: str, problem: str) -> None:
    with pytest.raises(ModelError) as caught:
        load_models({"my.yaml": text})
    error = caught.value
    assert (error.file, error.line, error.key) == ("my.yaml", line, key)
    assert problem in error.problem
    assert str(error).startswith(f"my.yaml:{line}: {key}: ")


@pytest.mark.parametrize(
    "text",
    [
        "functions: {a.f: {event: colective}}",
        "functions: {a.f: {evnt: seed}}",
        "functions: {a.f: {provides: [lunch]}}",
        "functions: {a.f: {requires: {process_group: {}}}}",
        "functions: {a.f: {since: 2.10}}",
        "functions: {a.f: {returns: {rank: globl}}}",
        "functions: {a.f: {returns: rank}}",
        "functions: {a.f: {returns: {per_rank: [self]}}}",
        "functions: {a.f: {same_as: a.g, event: seed}}",
        "functions: {a.f: {collective_when: {always: {when: {a: 1}}}}}",
        "classes: {a.C: {traits: {sharded: {if: {a: {trait: sharp}}}}}}",
        "classes: {a.C: {hooks: {arguments: []}}}",
        "classes: {a.C: {kind: modle}}",
        "classes: {a.C: {traits: {sharded: 1}}}",
        "names: {rank_globl: [r]}",
        "functions: [a.f]",
    ],
)
def test_the_schema_finds_the_same_mistakes(text: str) -> None:
    with pytest.raises(ModelError):
        load_models({"my.yaml": text})
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(yaml.safe_load(text), model_schema())


def test_the_schema_takes_what_the_loader_takes() -> None:
    jsonschema.validate(yaml.safe_load(BASE), model_schema())


@pytest.mark.parametrize(
    "text", ["", "a: [", "- 1", "\tx: 1", "functions: &a {b.f: *a}", "a: !!python/object:os.system {}"]
)
def test_no_file_breaks_the_loader(text: str) -> None:
    with pytest.raises(ModelError):
        load_models({"my.yaml": text})


def test_backends_and_names_on_tensors() -> None:
    (framework,) = load_models({"a.yaml": "backends: {Fast: {devices: [gpu]}, plain: }\ntensors: {facts: [form]}\n"})
    index = ApiIndex.of([framework, *load_models({"b.yaml": "tensors: {facts: [place], factories: [empty]}\n"})])
    assert index.backends == {"fast": Backend(devices=("gpu",)), "plain": Backend(devices=("cpu", "gpu"))}
    assert index.tensor_names("facts") == {"form", "place"}
    assert index.tensor_names("parameters") == frozenset()
