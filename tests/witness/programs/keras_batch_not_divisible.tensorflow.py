# witness: crashes with "ivisib", by itself, on tensorflow
import os

os.environ["KERAS_BACKEND"] = "jax"
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import keras
import numpy as np

keras.distribution.set_distribution(
    keras.distribution.DataParallel(devices=keras.distribution.list_devices()[:4])
)
model = keras.Sequential([keras.layers.Input((4,)), keras.layers.Dense(1, kernel_initializer="ones")])
model.compile("sgd", "mse")
model.fit(np.ones((24, 4)), np.ones((24, 1)), batch_size=6, verbose=0)
print("result:", len(model.weights), flush=True)
