import numpy as np
import tensorflow as tf

blob = np.load("tides.npz")
x, y = blob["x"], blob["y"]

strategy = tf.distribute.MultiWorkerMirroredStrategy()

with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Input((16,)), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")


def path_of(base, task):
    return base if task == 0 else base + "_tmp_" + str(task)


model.fit(x, y)
model.save(path_of("/models/tide", strategy.cluster_resolver.task_id))
