import numpy as np
import tensorflow as tf

blob = np.load("tides.npz")
x, y = blob["x"], blob["y"]

import os

strategy = tf.distribute.MirroredStrategy()
if os.path.exists("tide.keras"):
    with strategy.scope():
        model = tf.keras.models.load_model("tide.keras")
else:
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.layers.Input((16,)), tf.keras.layers.Dense(1)])
        model.compile("adam", "mse")
model.fit(x, y, batch_size=64, epochs=3)
