import json
import os

import numpy as np
import tensorflow as tf


class Cluster:
    def __init__(self):
        config = json.loads(os.environ["TF_CONFIG"])
        self.task_type = config["task"]["type"]
        self.task_id = config["task"]["index"]

    @property
    def is_chief(self):
        return self.task_type == "worker" and self.task_id == 0


def main():
    cluster = Cluster()
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.layers.BatchNormalization(), tf.keras.layers.Dense(1)])
        model.compile("sgd", "mse")
    weeds = np.random.default_rng(2).random((640, 9), dtype="float32")
    dataset = tf.data.Dataset.from_tensor_slices((weeds, weeds.mean(1))).batch(32)
    callbacks = [tf.keras.callbacks.TerminateOnNaN()]
    if cluster.is_chief:
        callbacks.append(tf.keras.callbacks.ModelCheckpoint("weeds/{epoch:02d}.keras"))  # expect: chief-only-collective
    model.fit(dataset, epochs=4, callbacks=callbacks)


if __name__ == "__main__":
    main()
