import pathlib


def export(model, folder, name="model"):
    """Write the weights of the model into the folder."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    model.save_weights(str(folder / f"{name}.weights.h5"))
