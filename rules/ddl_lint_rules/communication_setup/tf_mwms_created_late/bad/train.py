import numpy as np
import tensorflow as tf

blob = np.load("tides.npz")
x, y = blob["x"], blob["y"]

data = tf.data.Dataset.from_tensor_slices((x, y)).batch(64)
strategy = tf.distribute.MultiWorkerMirroredStrategy()  # error: [tf-mwms-created-late]
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Input((16,)), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
model.fit(data, epochs=3)
