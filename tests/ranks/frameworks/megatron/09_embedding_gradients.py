import torch
from megatron.core import mpu
from megatron.training.initialize import initialize_megatron


def allreduce_embedding_gradients(embedding):
    if mpu.is_rank_in_embedding_group(ignore_virtual=True) and mpu.get_pipeline_model_parallel_world_size() > 1:
        torch.distributed.all_reduce(embedding.grad, group=mpu.get_embedding_group())
    if mpu.is_rank_in_position_embedding_group() and mpu.get_pipeline_model_parallel_world_size() > 1:
        torch.distributed.all_reduce(embedding.grad, group=mpu.get_position_embedding_group())


def main():
    initialize_megatron()
    embedding = torch.nn.Parameter(torch.zeros(8, 4, device="cuda"))
    embedding.grad = torch.ones_like(embedding)
    allreduce_embedding_gradients(embedding)
    torch.distributed.barrier()
    if torch.distributed.get_rank() == 0:
        print(embedding.grad.sum().item())


if __name__ == "__main__":
    main()
