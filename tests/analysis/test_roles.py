"""Values of which nothing but their uses tell what they are."""

from __future__ import annotations

import pytest

from ddl_lint.program.values import Object, Value

_TRAINED = "x.train()\nx.eval()\nx(torch.zeros(1))\n"


def is_model(value: Value) -> bool:
    return isinstance(value, Object) and value.kind == "model"


@pytest.mark.parametrize(
    "program",
    [
        "import zoo\nx = zoo.make()\nx.parameters()",
        "import zoo\nx = zoo.kinds['a'](3)\nfor name, each in x.named_parameters(): pass",
        f"import zoo\nx = zoo.Net.from_pretrained('a')\n{_TRAINED}",
        "import zoo\nx, y = zoo.make()\nx.parameters()",
        "import zoo\nx = getattr(zoo, zoo.name())(3)\nx.parameters()",
        "import zoo\nx = zoo.find('a')()\nx.parameters()",
        "import zoo\nx = zoo.make().to('cuda')\nx.parameters()",
        "import zoo\nif zoo.first():\n    x = zoo.make()\nelse:\n    x = zoo.make()\nx.parameters()",
        "import zoo\nx = zoo.make()\ntorch.nn.parallel.DistributedDataParallel(x)",
        "import zoo\nfrom torch.nn.parallel import DistributedDataParallel as DDP\nx = zoo.make()\nDDP(module=x)",
        "import zoo\ndef ask(size, net): return net.parameters()\nx = zoo.make()\nask(3, x)",
        "import zoo\ndef ask(*, net): return list(net.parameters())\nx = zoo.make()\nask(net=x)",
        "import zoo\ndef train(net): net(1)\nx = zoo.make()\ntrain(x)\noptimizer = zoo.create_optimizer(x)",
        "import zoo\n"
        "class Trainer:\n"
        "    def __init__(self, net):\n"
        "        self.net = net\n"
        "    def ask(self):\n"
        "        return self.net.parameters()\n"
        "x = Trainer(zoo.make()).net",
        "import zoo\n"
        "class Base:\n"
        "    def ask(self):\n"
        "        return self.net.parameters()\n"
        "class Trainer(Base):\n"
        "    def __init__(self):\n"
        "        self.net = zoo.make()\n"
        "x = Trainer().net",
        "import zoo\n"
        "class Trainer:\n"
        "    def __init__(self):\n"
        "        self.net = zoo.make()\n"
        "        self.ask(self.net)\n"
        "    def ask(self, net):\n"
        "        return net.parameters()\n"
        "x = Trainer().net",
    ],
)
def test_a_model_by_its_use(value_of, program: str) -> None:
    found = value_of(program)
    options = [option for _, option in found.options] if hasattr(found, "options") else [found]
    assert all(map(is_model, options))


@pytest.mark.parametrize(
    "program",
    [
        "import zoo\nx = zoo.make()\nx(1)",
        "import zoo\nx = zoo.make()\nx.train()\nx(1)",
        "import zoo\nx = zoo.make()\nx.parameters()\nx.backward(1)",
        "import zoo\nx = zoo.make()\nx.parameters()\nx.step()",
        "import inspect\nx = inspect.signature(print)\nlen(x.parameters)",
        "import zoo\nx = torch.zeros(1).shape\nx.parameters()",
        "import zoo\nx = zoo.make()\ny = x\ny.state_dict()",
    ],
)
def test_no_model_by_its_use(value_of, program: str) -> None:
    assert not is_model(value_of(program))


def test_what_is_unknown_of_a_model_by_its_use(value_of) -> None:
    model = "import zoo\nfrom torch import nn\nmodel = zoo.make()\nmodel.parameters()\n"
    ways = "x = (1 if isinstance(model, nn.Linear) else 2, 3 if isinstance(model, zoo.Net) else 4)"
    for part in value_of(model + ways).items:
        assert len(part.options) == 2


@pytest.mark.parametrize(
    ("maker", "may_be"),
    [
        ("zoo.make_model('a')", False),
        ("zoo.make_parallel_model('a')", True),
        ("zoo.make_model(torch.distributed.get_rank())", True),
        ("models.make_model('a')", True),
        ("models.Net('a')", False),
    ],
)
def test_what_may_be_in_a_wrapper(value_of, maker: str, may_be: bool) -> None:
    made = value_of(f"import models, zoo\nx = {maker}\nx.parameters()")
    assert bool(made.traits.get("may_be_wrapped")) is may_be


def test_an_optimizer_by_its_use(follow_project) -> None:
    program = (
        "import torch, zoo\n"
        "model = zoo.make()\n"
        "optimizer = zoo.create_optimizer(model, 0.1)\n"
        "optimizer.zero_grad()\n"
        "model(torch.zeros(1)).backward()\n"
        "optimizer.step()\n"
    )
    followed = follow_project(program)
    (built,) = followed.events("build_optimizer")
    (step,) = followed.events("optimizer_step")
    assert step.operands["optimizer"] is built.result
    assert not followed.script.heap.is_escaped(followed.events("forward")[0].operands["model"])


@pytest.mark.parametrize(
    "made", ["scheduler = zoo.make(optimizer)", "x = zoo.lr_schedule(optimizer, 3)\nscheduler = x"]
)
def test_a_scheduler_by_its_use(follow_project, made: str) -> None:
    program = "import torch, zoo\nmodel = torch.nn.Linear(1, 1)\noptimizer = torch.optim.SGD(model.parameters(), 0.1)\n"
    followed = follow_project({"main.py": f"{program}{made}\nscheduler.step(zoo.loss())\n"}, names=["main"])
    (built,) = followed.events("build_scheduler")
    (step,) = followed.events("scheduler_step")
    assert step.operands["scheduler"] is built.result
    assert "metric" in step.operands


@pytest.mark.parametrize("made", ["x = zoo.make(optimizer)\nx.step()", "scheduler = zoo.make()\nscheduler.step()"])
def test_no_scheduler_by_its_use(follow_project, made: str) -> None:
    program = "import torch, zoo\nmodel = torch.nn.Linear(1, 1)\noptimizer = torch.optim.SGD(model.parameters(), 0.1)\n"
    assert not follow_project({"main.py": f"{program}{made}\n"}, names=["main"]).events("build_scheduler")
