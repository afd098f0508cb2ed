import os

import torch
from megatron.core import parallel_state as mpu


def data_parallel_loss(loss):
    torch.distributed.all_reduce(loss, group=mpu.get_data_parallel_group())
    return loss / mpu.get_data_parallel_world_size()


def broadcast_batch(batch):
    if mpu.get_tensor_model_parallel_rank() == 0:
        size = torch.tensor([batch.numel()], device="cuda")
    else:
        size = torch.zeros(1, dtype=torch.long, device="cuda")
    torch.distributed.broadcast(
        size, mpu.get_tensor_model_parallel_src_rank(), group=mpu.get_tensor_model_parallel_group()
    )
    return size


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    torch.distributed.init_process_group("nccl")
    mpu.initialize_model_parallel(tensor_model_parallel_size=2, pipeline_model_parallel_size=2)
    batch = torch.ones(64, device="cuda")
    if mpu.get_data_parallel_rank() == 0:
        torch.distributed.barrier(group=mpu.get_model_parallel_group())
    if mpu.is_pipeline_first_stage() or mpu.is_pipeline_last_stage():
        broadcast_batch(batch)
    if mpu.is_pipeline_last_stage():
        print(data_parallel_loss(torch.ones(1, device="cuda")).item())
    torch.distributed.barrier()
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
