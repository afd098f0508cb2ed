import os


def pin(index):
    """Show this process its own GPU only."""
    os.environ.update({"CUDA_VISIBLE_DEVICES": f"{index}"})
