import os

os.environ["KERAS_BACKEND"] = "jax"

import keras
import numpy as np

mesh = keras.distribution.DeviceMesh((2, 4), ["batch", "model"])
layout = keras.distribution.LayoutMap(mesh)
layout[".*dense.*kernel"] = (None, "model")
keras.distribution.set_distribution(keras.distribution.ModelParallel(layout_map=layout, batch_dim_name="batch"))

model = keras.Sequential([keras.layers.Input((16,)), keras.layers.Dense(1024), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(np.zeros((320, 16)), np.zeros((320, 1)), batch_size=32)
