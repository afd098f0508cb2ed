# silent: the chief evaluates a copy of the weights in a model outside the strategy
import json
import os

import numpy as np
import tensorflow as tf


def build():
    layers = tf.keras.layers
    return tf.keras.Sequential([layers.Input((4,)), layers.Dense(8, "relu"), layers.Dense(1)])


def main():
    task_id = json.loads(os.environ["TF_CONFIG"])["task"]["index"]
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    with strategy.scope():
        model = build()
        model.compile("adam", "mse")
    mints = np.random.default_rng(0).random((400, 4), dtype="float32")
    model.fit(tf.data.Dataset.from_tensor_slices((mints, mints.min(1))).batch(40), epochs=2)
    weights = model.get_weights()
    if task_id == 0:
        plain = build()
        plain.set_weights(weights)
        guesses = plain(mints[:10], training=False)
        print(guesses.numpy().ravel())


if __name__ == "__main__":
    main()
