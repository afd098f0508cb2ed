import numpy as np
import tensorflow as tf

blob = np.load("tides.npz")
x, y = blob["x"], blob["y"]


def net():
    return tf.keras.Sequential([tf.keras.layers.Input((16,)), tf.keras.layers.Dense(1)])


strategy = tf.distribute.OneDeviceStrategy("/gpu:0")
model = net()
model.compile("adam", "mse")
model.fit(x, y)
