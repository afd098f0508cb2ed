import os

os.environ["KERAS_BACKEND"] = "jax"

import keras
import numpy as np

devices = keras.distribution.DeviceMesh((2, 4), ["batch", "model"])
layout = keras.distribution.LayoutMap(devices)
layout[".*dense.*kernel"] = (None, "model")
keras.distribution.set_distribution(
    keras.distribution.ModelParallel(layout_map=layout, batch_dim_name="batch")
)
