# silent: the script only evaluates
import horovod.torch as hvd
import torch
from torchvision.models import resnet18


def main():
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    model = resnet18().cuda()
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    if hvd.rank() == 0:
        model.load_state_dict(torch.load("best.pt", map_location="cpu"))
        model.eval()
        print(model(torch.rand(4, 3, 224, 224).cuda()).argmax(1))


if __name__ == "__main__":
    main()
