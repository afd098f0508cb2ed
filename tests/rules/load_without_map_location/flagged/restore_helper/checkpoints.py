from pathlib import Path

import torch


def newest(folder):
    found = sorted(Path(folder).glob("step_*.pt"))
    return found[-1] if found else None


def restore(folder, **objects):
    path = newest(folder)
    if path is None:
        return 0
    with open(path, "rb") as handle:
        saved = torch.load(handle, weights_only=False)  # error: [load-without-map-location]
    for name, target in objects.items():
        target.load_state_dict(saved[name])
    return saved["step"]


def keep(folder, step, **objects):
    content = {name: source.state_dict() for name, source in objects.items()}
    torch.save({**content, "step": step}, Path(folder) / f"step_{step:06d}.pt")
