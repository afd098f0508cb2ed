import numpy as np
import tensorflow as tf

blob = np.load("tides.npz")
x, y = blob["x"], blob["y"]


def net():
    return tf.keras.Sequential([tf.keras.layers.Input((16,)), tf.keras.layers.Dense(1)])


strategy = tf.distribute.get_strategy()
model = net()
with strategy.scope():
    model.compile(optimizer=tf.keras.optimizers.Adam(1e-3), loss="mse")
model.fit(x, y)
