import numpy as np
import tensorflow as tf

blob = np.load("tides.npz")
x, y = blob["x"], blob["y"]


def data():
    tf.config.set_visible_devices([], "GPU")
    return tf.data.Dataset.from_tensor_slices((x, y)).batch(64)


training, validation = data(), data()
print(training, validation)
