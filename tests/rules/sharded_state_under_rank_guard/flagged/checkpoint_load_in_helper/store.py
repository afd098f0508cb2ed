from torch.distributed.checkpoint import load
from torch.distributed.checkpoint.state_dict import get_model_state_dict, set_model_state_dict


def restore(net, folder):
    """Read the shards of the model from the folder."""
    state = {"net": get_model_state_dict(net)}
    load(state, checkpoint_id=folder)
    set_model_state_dict(net, state["net"])
