import torch
import torch_xla.core.xla_model as xm
import torch_xla.distributed.xla_multiprocessing as xmp


def fetch():
    print("fetching the images")
    return torch.zeros(128, 3)


def run(index):
    if not xm.is_master_ordinal():
        xm.rendezvous("fetch")
    images = fetch()
    if xm.is_master_ordinal():
        xm.rendezvous("fetch")
    device = xm.xla_device()
    mean = xm.mesh_reduce("mean", images.to(device).mean().item(), lambda values: sum(values) / len(values))
    xm.master_print(mean)


if __name__ == "__main__":
    xmp.spawn(run, args=())
