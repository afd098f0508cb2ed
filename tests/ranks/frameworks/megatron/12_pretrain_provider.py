from functools import partial

import torch
from megatron.core import mpu
from megatron.core.enums import ModelType
from megatron.training import get_args, pretrain, print_rank_0


def model_provider(pre_process=True, post_process=True):
    print_rank_0("building the model ...")
    return torch.nn.Linear(16, 16)


def loss_func(mask, output):
    losses = output.float() * mask
    loss = losses.sum() / mask.sum()
    if get_args().context_parallel_size > 1:
        torch.distributed.all_reduce(loss, group=mpu.get_context_parallel_group())
    shown = loss.clone().detach()
    torch.distributed.all_reduce(shown, group=mpu.get_data_parallel_group())
    return loss, {"loss": shown / mpu.get_data_parallel_world_size()}


def forward_step(data_iterator, model):
    batch = next(data_iterator) if mpu.get_tensor_model_parallel_rank() == 0 else torch.zeros(4, 16, device="cuda")
    torch.distributed.broadcast(
        batch, mpu.get_tensor_model_parallel_src_rank(), group=mpu.get_tensor_model_parallel_group()
    )
    return model(batch), partial(loss_func, torch.ones(4, 16, device="cuda"))


def datasets_provider(samples):
    if mpu.is_pipeline_first_stage() or mpu.is_pipeline_last_stage():
        print_rank_0("building the data ...")
    return None, None, None


if __name__ == "__main__":
    pretrain(datasets_provider, model_provider, ModelType.encoder_or_decoder, forward_step)
