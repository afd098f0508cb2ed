# silent: a helper takes the model out of its wrapper before the save
from torch.nn import DataParallel
from torch.nn.parallel import DistributedDataParallel


def unwrap_model(model):
    while isinstance(model, (DataParallel, DistributedDataParallel)):
        model = model.module
    return model
