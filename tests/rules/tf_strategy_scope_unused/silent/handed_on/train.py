import numpy as np
import tensorflow as tf

blob = np.load("tides.npz")
x, y = blob["x"], blob["y"]


def net():
    return tf.keras.Sequential([tf.keras.layers.Input((16,)), tf.keras.layers.Dense(1)])


from elsewhere import trained

strategy = tf.distribute.MirroredStrategy()
model = trained(strategy, net)
other = net()
other.compile("adam", "mse")
other.fit(x, y)
