# silent: ranks within parallel groups steer calls on these groups
import torch
from megatron.core import parallel_state as mpu
from torch import nn


def average(loss):
    value = loss.detach().clone()
    torch.distributed.all_reduce(value, group=mpu.get_data_parallel_group())
    return value / mpu.get_data_parallel_world_size()


def main():
    torch.distributed.init_process_group("nccl")
    torch.cuda.set_device(torch.distributed.get_rank() % torch.cuda.device_count())
    mpu.initialize_model_parallel(tensor_model_parallel_size=2, pipeline_model_parallel_size=2)
    block = nn.Linear(64, 64).cuda()
    for iteration in range(10):
        loss = block(torch.rand(4, 64, device="cuda")).square().mean()
        loss.backward()
        block.zero_grad()
        if mpu.is_pipeline_last_stage():
            mean = average(loss)
            if mpu.get_data_parallel_rank() == 0 and mpu.get_tensor_model_parallel_rank() == 0:
                print(iteration, mean.item())
        if mpu.get_tensor_model_parallel_rank() == 0:
            torch.distributed.barrier(group=mpu.get_data_parallel_group())
    torch.distributed.barrier()


if __name__ == "__main__":
    main()
    torch.distributed.destroy_process_group()
