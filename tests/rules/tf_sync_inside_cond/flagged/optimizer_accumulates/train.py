import numpy as np
import tensorflow as tf

blob = np.load("tides.npz")
x, y = blob["x"], blob["y"]

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Input((16,)), tf.keras.layers.Dense(1)])
    model.compile(tf.keras.optimizers.Adam(1e-3, gradient_accumulation_steps=4), "mse")  # error: [tf-sync-inside-cond]
model.fit(x, y)
