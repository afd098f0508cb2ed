import colossalai
import torch
from colossalai.booster import Booster
from colossalai.booster.plugin import HybridParallelPlugin
from colossalai.cluster import DistCoordinator
from colossalai.nn.optimizer import HybridAdam
from transformers import GPT2Config, GPT2LMHeadModel


def batches(plugin):
    generator = torch.Generator().manual_seed(plugin.dp_group.rank() if hasattr(plugin, "dp_group") else 0)
    while True:
        tokens = torch.randint(0, 500, (8, 32), generator=generator).cuda()
        yield {"input_ids": tokens, "labels": tokens}


def main():
    colossalai.launch_from_torch()
    coordinator = DistCoordinator()
    plugin = HybridParallelPlugin(tp_size=1, pp_size=2, num_microbatches=4)
    booster = Booster(plugin=plugin)
    model = GPT2LMHeadModel(GPT2Config(vocab_size=500, n_layer=4))
    optimizer = HybridAdam(model.parameters(), lr=1e-4)
    model, optimizer, *_ = booster.boost(model, optimizer)
    stream = batches(plugin)
    is_pp_last_stage = plugin.stage_manager.is_last_stage()
    for step in range(20):
        outputs = booster.execute_pipeline(
            stream, model, lambda output, inputs: output.loss, optimizer, return_loss=True
        )
        if is_pp_last_stage:
            print(coordinator.rank, step, outputs["loss"].item())
        optimizer.step()
        optimizer.zero_grad()
    booster.save_model(model, "gpt", shard=True)


if __name__ == "__main__":
    main()
