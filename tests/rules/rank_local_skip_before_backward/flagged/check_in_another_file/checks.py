import math


def is_broken(loss, limit=1e4):
    """Whether a loss is no number, or so large that the step would do harm."""
    value = loss.item()
    return not math.isfinite(value) or value > limit
