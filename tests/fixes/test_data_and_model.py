"""What fixes of rules about data and checkpoints write, to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from cases import program_of_rule
from programs import mend_program


@pytest.mark.parametrize(
    ("case", "file", "lines"),
    [
        pytest.param(
            "load_without_map_location/best_metric",
            "best_metric.py",
            [
                "            weights_only=True,  # no pickles",
                "            map_location='cpu',",
                "torch.load('ema.pt', 'cpu').items()",
            ],
            id="load",
        ),
        pytest.param(
            "missing_distributed_sampler/one_process_too",
            "one_process_too.py",
            [
                "    rain_sampler = torch.utils.data.DistributedSampler(rain_set)"
                " if torch.distributed.is_initialized() else None",
                "        shuffle=rain_sampler is None,  # mixed anew in each epoch",
                "        drop_last=True,  # the last one is small",
                "        sampler=rain_sampler",
                "    for epoch in range(args.epochs):",
                "        if rain_sampler is not None:",
                "            rain_sampler.set_epoch(epoch)",
                "DataLoader(storm_set, 90, shuffle=storm_sampler is None, sampler=storm_sampler)",
                "            storm_sampler.set_epoch(turn)",
            ],
            id="sampler, also for one process",
        ),
        pytest.param(
            "missing_distributed_sampler/plain_samplers",
            "plain_samplers.py",
            [
                "        self.sampler = torch.utils.data.DistributedSampler(self.data)  # of all labels",
                "sampler=torch.utils.data.DistributedSampler(self.data, shuffle=False), batch_size=8)",
                "        third_sampler = torch.utils.data.DistributedSampler(self.data, shuffle=not mixed)",
                "            self.third.sampler.set_epoch(number)",
            ],
            id="other samplers",
        ),
        pytest.param(
            "missing_distributed_sampler/trainer_class",
            "engine.py",
            [
                "        sampler = torch.utils.data.DistributedSampler(dataset)",
                "        for epoch in range(epochs):",
                "            self.train_loader.sampler.set_epoch(epoch)",
            ],
            id="sampler of a class",
        ),
        pytest.param(
            "missing_distributed_sampler/sampler_left_aside",
            "sampler_left_aside.py",
            [
                "        batch_size=16, sampler=sampler,\n",
                "    dataset = torch.utils.data.Subset(dunes, range(64))",
                "    rest_sampler = torch.utils.data.DistributedSampler(dataset)",
                "        dataset,\n        sampler=rest_sampler, batch_size=4\n",
                "        rest_sampler.set_epoch(epoch)",
            ],
            id="sampler that was there",
        ),
        pytest.param(
            "shuffle_with_sampler/one_process_too",
            "one_process_too.py",
            [
                "DataLoader(data, 12, sampler=sampler, shuffle=(sampler is None), num_workers=2)",
                "DataLoader(data, 4, sampler=ordered, batch_sampler=None, num_workers=2)",
                "        num_workers=2\n    )",
            ],
            id="shuffle",
        ),
        pytest.param(
            "sampler_rank_from_local_rank/written_in_many_ways",
            "written_in_many_ways.py",
            [
                "        rank=(distributed.get_rank()),  # which share",
                "        num_replicas=size,",
                "DistributedSampler(moss, size, distributed.get_rank()); late",
            ],
            id="rank",
        ),
        pytest.param(
            "ddp_wrapped_state_dict/one_process_too",
            "one_process_too.py",
            [
                "torch.save(obj=getattr(tuner, 'module', tuner).state_dict(), f='tuner.pt'); print",
                "torch.save({'net': getattr(net, 'module', net).state_dict()}, path)",
            ],
            id="wrapper",
        ),
    ],
)
def test_lines(case: str, file: str, lines: list[str], tmp_path: Path) -> None:
    rule, _, name = case.partition("/")
    text = mend_program(program_of_rule(rule, "flagged", name), tmp_path).texts[file]
    assert [line for line in lines if line not in text] == []
