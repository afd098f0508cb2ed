import torch
import torch.distributed as dist


def shared_basis(samples):
    covariance = samples.T @ samples
    dist.all_reduce(covariance)
    rank = int(torch.linalg.matrix_rank(covariance))
    if rank == 0:
        return None
    basis = torch.linalg.eigh(covariance)[1][:, -rank:].contiguous()
    dist.broadcast(basis, src=0)
    return basis


def main():
    dist.init_process_group("gloo")
    generator = torch.Generator().manual_seed(dist.get_rank())
    basis = shared_basis(torch.rand(40, 6, generator=generator))
    if basis is not None:
        print(basis.shape)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
