import os

os.environ["KERAS_BACKEND"] = "jax"

import keras
import numpy as np

import tensorflow as tf

keras.distribution.set_distribution(
    keras.distribution.DataParallel(devices=keras.distribution.list_devices()[:4])
)
model = keras.Sequential([keras.layers.Input((16,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
data = tf.data.Dataset.from_tensor_slices((np.zeros((300, 16)), np.zeros((300, 1)))).batch(50)  # error: [keras-batch-not-divisible]
model.fit(data)
