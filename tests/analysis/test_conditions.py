"""What arguments decide: traits of objects, whether a call is made together, who runs a decorated function."""

from __future__ import annotations

import pytest

from ddl_lint.analysis.values.contexts import rank_guards
from ddl_lint.program.values import Apply, Const, Object, Rank, WorldSize

FSDP = (
    "from torch.distributed.fsdp import FullyShardedDataParallel as FSDP, ShardingStrategy\nnet = torch.nn.Linear(1, 1)"
)


@pytest.mark.parametrize(
    ("program", "sharded"),
    [
        (f"{FSDP}\nx = FSDP(net)", True),
        (f"{FSDP}\nx = FSDP(net, sharding_strategy=ShardingStrategy.FULL_SHARD)", True),
        (f"{FSDP}\nx = FSDP(net, sharding_strategy=ShardingStrategy.NO_SHARD)", False),
        (f"{FSDP}\nx = FSDP(net, None, ShardingStrategy.NO_SHARD)", False),
        (f"{FSDP}\nfrom there import strategy, more\nx = FSDP(net, sharding_strategy=strategy)", False),
        (f"{FSDP}\nfrom there import strategy, more\nx = FSDP(net, **more)", False),
        (f"{FSDP}\nclass Own(FSDP): pass\nx = Own(net)", True),
    ],
)
def test_a_trait_that_depends_on_an_argument(value_of, program: str, sharded: bool) -> None:
    made = value_of(program)
    assert isinstance(made, Object) and bool(made.traits.get("sharded")) is sharded


ENGINE = """
import deepspeed, torch
net = torch.nn.Linear(1, 1)
{}
x, _, _, _ = deepspeed.initialize(model=net, config=config)
torch.save(x, "x")
"""


@pytest.mark.parametrize(
    ("config", "sharded"),
    [
        ("config = {'zero_optimization': {'stage': 3}}", True),
        ("config = {'zero_optimization': {}}\nconfig['zero_optimization']['stage'] = 3", True),
        ("def make(n): return {'zero_optimization': dict(stage=n)}\nconfig = make(3)", True),
        ("config = {'zero_optimization': {'stage': 2}}", False),
        ("config = {}", False),
        ("from there import stage\nconfig = {'zero_optimization': {'stage': stage}}", False),
        ("config = 'settings.json'", False),
        ("from there import zero\nconfig = {'zero_optimization': {'stage': 3 if zero else 1}}", False),
    ],
)
def test_the_stage_in_a_dict(follow_project, config: str, sharded: bool) -> None:
    found = follow_project(ENGINE.format(config))
    made = found.saved()
    assert isinstance(made, Object) and bool(made.traits.get("sharded")) is sharded
    (wrapped,) = found.events("wrap_model")
    assert bool(wrapped.traits.get("sharded")) is sharded


def test_a_trait_of_an_object_that_was_given(follow_project) -> None:
    program = """
        import torch
        from accelerate import Accelerator, FullyShardedDataParallelPlugin
        accelerator = Accelerator(fsdp_plugin=FullyShardedDataParallelPlugin())
        net = torch.nn.Linear(1, 1)
        model, optimizer = accelerator.prepare(net, torch.optim.SGD(net.parameters(), 0.1))
        torch.save(model, "model")
        torch.save(accelerator.unwrap_model(model), "plain")
        torch.save(model.weight, "weight")
        torch.save(optimizer, "optimizer")
    """
    found = follow_project(program)
    model, plain, optimizer = (found.saved(label) for label in ("model", "plain", "optimizer"))
    assert isinstance(model, Object) and model.traits["sharded"] and model.given["module"] is plain
    assert isinstance(plain, Object) and plain.api == "torch.nn.Linear"
    assert isinstance(optimizer, Object) and optimizer.kind == "optimizer"


@pytest.mark.parametrize(
    ("call", "together"),
    [
        ("log('a', 1, sync_dist=True)", True),
        ("log('a', 1)", False),
        ("log('a', 1, sync_dist=False)", False),
        ("log('a', 1, sync_dist=True, rank_zero_only=True)", False),
        ("log('a', 1, sync_dist=flag)", False),
    ],
)
def test_a_call_that_arguments_make_a_collective(follow_project, call: str, together: bool) -> None:
    program = f"import lightning as L\nfrom there import flag\nclass Net(L.LightningModule): pass\nNet().{call}\n"
    (event,) = follow_project(program).events("log_metric")
    assert bool(event.collective_when) is together


FIRST = Apply("==", (Rank("global"), Const(0)))
LAST = Apply("==", (Rank("global"), Apply("-", (WorldSize("global"), Const(1)))))


@pytest.mark.parametrize(
    ("decorator", "condition"),
    [
        ("accelerator.on_main_process", FIRST),
        ("accelerator.on_main_process()", FIRST),
        ("accelerator.on_local_main_process", Apply("==", (Rank("local"), Const(0)))),
        ("accelerator.on_last_process", LAST),
        ("accelerator.on_process(process_index=2)", Apply("==", (Rank("global"), Const(2)))),
        ("accelerator.on_local_process(local_process_index=1)", Apply("==", (Rank("local"), Const(1)))),
        ("idist.one_rank_only()", FIRST),
        ("idist.one_rank_only(rank=1)", Apply("==", (Rank("global"), Const(1)))),
        ("rank_zero_only", FIRST),
        ("coordinator.on_master_only()", FIRST),
    ],
)
def test_decorators_that_let_one_process_run(follow_project, decorator: str, condition: object) -> None:
    program = f"""
import torch
import ignite.distributed as idist
from accelerate import Accelerator
from colossalai.cluster import DistCoordinator
from lightning.pytorch.utilities import rank_zero_only
accelerator, coordinator = Accelerator(), DistCoordinator()
@{decorator}
def write(a): torch.save(a, "a")
class Writer:
    @{decorator}
    def write(self, a): torch.save(a, "b")
write(1)
Writer().write(2)
"""
    found = follow_project(program)
    for label, value in (("a", 1), ("b", 2)):
        (event,) = found.saves(label)
        assert event.operands["object"] == Const(value)
        assert [guard.value for guard in rank_guards(event.context)] == [condition]


def test_a_function_is_guarded_without_a_decorator(follow_project) -> None:
    program = """
        import torch
        from lightning.pytorch.utilities import rank_zero_only
        def write(a): torch.save(a, "a")
        rank_zero_only(write)(1)
        write(1)
    """
    guarded, plain = follow_project(program).saves("a")
    assert rank_guards(guarded.context) and not rank_guards(plain.context)


@pytest.mark.parametrize(
    ("call", "handed"),
    [
        ("def run(f): f()\nrun(write)", True),
        ("def run(f):\n    def inner(): f()\n    return inner\nrun(write)()", True),
        ("class Job:\n    def __init__(self, f): self.f = f\n    def run(self): self.f()\nJob(write).run()", True),
        ("def run(): write()\nrun()", False),
        ("again = write\nagain()", False),
        ("def run():\n    def write(): torch.save(1, 'a')\n    write()\nrun()", False),
    ],
)
def test_calls_of_functions_that_came_in_as_values(follow_project, call: str, handed: bool) -> None:
    (event,) = follow_project(f"import torch\ndef write(): torch.save(1, 'a')\n{call}\n").saves("a")
    assert any(node.kind == "handed" for node in event.context.chain()) is handed


def test_hooks_run_on_the_instance_of_the_script(follow_project) -> None:
    program = """
        import torch
        from transformers import Trainer, TrainerCallback
        class Probe(TrainerCallback):
            def __init__(self, trainer): self.trainer = trainer
            def on_epoch_end(self, args, state, control, **kwargs):
                if state.is_world_process_zero:
                    self.trainer.evaluate()
            def helper(self, state): torch.save(state, "state")
        trainer = Trainer()
        trainer.add_callback(Probe(trainer))
        trainer.train()
    """
    (library,) = follow_project(program).libraries
    (evaluated,) = (event for event in library.events if event.kind == "fit")
    assert [guard.value for guard in rank_guards(evaluated.context)] == [FIRST]
