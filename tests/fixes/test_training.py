"""What fixes of rules about training and shares of the data write, to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from cases import program_of_rule
from ddl_lint.check.case_marks import without_marks
from programs import mend_program


@pytest.mark.parametrize(
    ("case", "file", "lines"),
    [
        pytest.param(
            "ddp_device_ids_mismatch/layouts_of_the_call",
            "layouts_of_the_call.py",
            ["        module=(first if gpu < 8 else second).to(ids[0]),", "        device_ids=ids,  # one each"],
            id="module moved",
        ),
        pytest.param(
            "ddp_device_ids_mismatch/gloo_with_output_device",
            "gloo_with_output_device.py",
            ["        nn.Linear(3, 3),\n        # its own\n        broadcast_buffers=False,\n    )"],
            id="no devices",
        ),
        pytest.param(
            "missing_set_epoch/nameless_epochs",
            "nameless_epochs.py",
            [
                "    for epoch in range(7):  # epochs",
                "        loader.batch_sampler.sampler.set_epoch(epoch)\n        # one pass\n",
            ],
            id="epoch named",
        ),
        pytest.param(
            "missing_set_epoch/counted_by_hand",
            "counted_by_hand.py",
            ["            self.loader.sampler.set_epoch(self.epoch)\n            self.pass_over()"],
            id="epoch counted",
        ),
        pytest.param(
            "missing_set_epoch/fed_by_a_generator",
            "fed_by_a_generator.py",
            ["    for epoch in range(1, epochs + 1):", "        loader.sampler.set_epoch(epoch)\n        train_epoch("],
            id="batches of a generator",
        ),
        pytest.param(
            "missing_set_epoch/sampler_or_none",
            "sampler_or_none.py",
            ["        if sampler is not None:\n            sampler.set_epoch(epoch)\n        epoch += 1"],
            id="sampler or none",
        ),
        pytest.param(
            "missing_set_epoch/loader_in_both_arms",
            "loader_in_both_arms.py",
            [
                "        if isinstance(loader.sampler, feeding.DistributedSampler):\n"
                "            loader.sampler.set_epoch(epoch)\n"
            ],
            id="sampler of one arm",
        ),
        pytest.param(
            "unguarded_filesystem_write/rank_without_launcher",
            "rank_without_launcher.py",
            ["    if RANK in (-1, 0):\n        with open("],
            id="alone the rank is -1",
        ),
        pytest.param(
            "unguarded_filesystem_write/without_a_group",
            "without_a_group.py",
            [
                "    # what came of it\n"
                "    if not torch.distributed.is_initialized() or torch.distributed.get_rank() == 0:\n"
                "        with open(os.path.join(args.out, 'losses.json'), 'w') as stream:",
                "        0o755,\n        exist_ok=True,\n    )",
                "if (step == 45 or step == 80) and (not torch.distributed.is_initialized() or"
                " torch.distributed.get_rank() == 0): torch.save(",
            ],
            id="written without a group",
        ),
        pytest.param(
            "unguarded_filesystem_write/two_scripts",
            "shared.py",
            [
                "from torch import nn\nimport torch.distributed as dist",
                "    if not dist.is_initialized() or dist.get_rank() == 0:\n        with open(",
            ],
            id="written by two scripts",
        ),
        pytest.param(
            "unguarded_filesystem_write/two_scripts",
            "train_many.py",
            ["    if rank == 0:\n        torch.save(vars(args), "],
            id="written before the group",
        ),
        pytest.param(
            "unguarded_filesystem_write/start_values_for_all",
            "start_values_for_all.py",
            ["    if dist.get_rank() == 0:\n        torch.save(", "    dist.barrier()\n    net.load_state_dict("],
            id="read by all",
        ),
        pytest.param(
            "unguarded_filesystem_write/pieces_with_numbers",
            "pieces_with_numbers.py",
            ["        if dist.get_rank() == 0:\n            with open(", "        dist.barrier()\n\ndef main"],
            id="numbered and read by all",
        ),
        pytest.param(
            "unguarded_filesystem_write/spawned_save",
            "spawned_save.py",
            ["        if step % 500 == 0 and rank == 0:\n            torch.save("],
            id="condition joined",
        ),
        pytest.param(
            "unguarded_filesystem_write/trainer_class",
            "trainer.py",
            [
                "        if torch.distributed.get_rank() == 0:\n            torch.save(",
                "            with open(self.folder / ",
                "                json.dump(",
            ],
            id="neighbours joined",
        ),
        pytest.param(
            "unregistered_tensor_attribute/layouts_of_the_assignment",
            "layouts_of_the_assignment.py",
            [
                "            (torch.ones(n) * 0.5).to(device)\n        )\n",
                "            torch.arange(n)  # one per hour\n            * 0.5\n        ))\n",
                "        self.register_buffer('offset', torch.rand(n)); self.calm = False",
            ],
            id="tensor registered",
        ),
        pytest.param(
            "unregistered_tensor_attribute/data_parallel_codebook",
            "data_parallel_codebook.py",
            ['        self.planes: torch.Tensor\n        self.register_buffer("planes", torch.randn('],
            id="annotation kept",
        ),
        pytest.param(
            "uneven_partition/numbers_of_the_share",
            "numbers_of_the_share.py",
            [
                '    mine = sorted(Path(folder).glob("*.pt"))\n'
                "    mine = mine[: len(mine) - len(mine) % size][rank::size]  # own files",
                "    per = len(fields) // size\n",
                "range(rank, len(fields) - len(fields) % size, size)",
            ],
            id="shares cut",
        ),
        pytest.param(
            "uneven_partition/last_rank_takes_the_rest",
            "last_rank_takes_the_rest.py",
            ["    per = len(rivers) // world_size\n    part = rivers[rank * per : (rank + 1) * per]"],
            id="last share cut",
        ),
        pytest.param(
            "rank_guard_operator_precedence/guard_in_the_middle",
            "guard_in_the_middle.py",
            [
                "    save = dist.get_rank() == 0 and (step and not step % 7 or last)",
                "    if (dist.get_rank() == 0) and (last or step % every == 1):",
                "        or last)\n    ):",
            ],
            id="guard moved",
        ),
    ],
)
def test_lines(case: str, file: str, lines: list[str], tmp_path: Path) -> None:
    rule, _, name = case.partition("/")
    text = mend_program(program_of_rule(rule, "flagged", name), tmp_path).texts[file]
    assert [line for line in lines if line not in text] == []


def test_ranks_that_write_one_after_the_other_do_not_wait_for_each_other_there(tmp_path: Path) -> None:
    """A barrier in the function would be reached by one of them at a time."""
    mended = mend_program(program_of_rule("unguarded_filesystem_write", "flagged", "handed_on_in_turn"), tmp_path)
    assert "barrier" not in mended.texts["handed_on_in_turn.py"].partition("def main")[0]
    assert [reason for _, reason in mended.unfixable] == [
        "several calls lead here, and a barrier would need all ranks to make each of them"
    ]


def test_what_each_rank_has_of_its_own_is_not_left_to_one(tmp_path: Path) -> None:
    """The predictions of the other ranks would be lost; a checkpoint beside them is the same everywhere."""
    program = program_of_rule("unguarded_filesystem_write", "flagged", "what_each_rank_has_of_its_own")
    mended = mend_program(program, tmp_path)
    text = without_marks(mended.texts["what_each_rank_has_of_its_own.py"])
    assert [line for line in text.splitlines() if "save(" in line or "get_rank" in line] == [
        '    torch.save(torch.cat(found), "found.pt")',
        "    if dist.get_rank() == 0:",
        '        torch.save({"net": net.module.state_dict(), "last": found[-1]}, "net.pt")',
    ]
    assert [reason for _, reason in mended.unfixable] == [
        "each rank may have a share of its own to write, and would need a path of its own"
    ]


def test_a_module_that_does_without_a_library_gets_no_import_of_it(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "notes.py").write_text(
        "def keep(step):\n    with open('notes.txt', 'w') as stream:\n        stream.write(str(step))\n",
        encoding="utf-8",
    )
    script = (
        "import horovod.torch as hvd\n\nimport notes\n\nhvd.init()\nnotes.keep(7)\n"
        "with open('steps.txt', 'w') as stream:\n    stream.write('7')\n"
    )
    (source / "main.py").write_text(script, encoding="utf-8")
    mended = mend_program(source, tmp_path)
    assert "horovod" not in mended.texts["notes.py"]
    assert "if hvd.rank() == 0:" in mended.texts["main.py"]
    assert [reason for _, reason in mended.unfixable] == [
        "the module does without `horovod` so far, and may be used without it"
    ]


def test_a_scope_is_not_entered_before_its_strategy_exists(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    script = """\
import tensorflow as tf

optimizer = tf.keras.optimizers.Adam()
print(optimizer.learning_rate)
strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Input((16,)), tf.keras.layers.Dense(1)])
    model.compile(optimizer, "mse")
model.fit(tf.ones((64, 16)), tf.ones((64, 1)), batch_size=64)
"""
    (source / "train.py").write_text(script, encoding="utf-8")
    mended = mend_program(source, tmp_path)
    assert "tf-created-outside-scope" in {mark.rule for mark in mended.first}
    assert mended.texts["train.py"] == script
    assert [reason for _, reason in mended.unfixable] == ["`strategy` is not known here"]


def test_a_model_that_may_have_no_wrapper_has_no_method_of_one(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    script = """\
import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP

dist.init_process_group("nccl")
torch.cuda.set_device(dist.get_node_local_rank())
model = torch.nn.Linear(4, 1)
if dist.get_world_size() > 1:
    model = FSDP(model, device_id=torch.cuda.current_device())
else:
    model = model.cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.ones(2, 4).cuda()).sum().backward()
torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
optimizer.step()
dist.destroy_process_group()
"""
    (source / "train.py").write_text(script, encoding="utf-8")
    mended = mend_program(source, tmp_path)
    assert {mark.rule for mark in mended.first} == {"fsdp-clip-grad-norm"}
    assert mended.texts["train.py"] == script
