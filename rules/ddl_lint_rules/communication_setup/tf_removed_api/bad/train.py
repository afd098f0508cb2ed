import numpy as np
import tensorflow as tf

blob = np.load("tides.npz")
x, y = blob["x"], blob["y"]

strategy = tf.distribute.MirroredStrategy()
strategy.experimental_run_v2(lambda: 0)  # error: [tf-removed-api]
