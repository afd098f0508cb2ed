# silent: each job trains a model of its own; there is no strategy
import os

import numpy as np
import tensorflow as tf


def main():
    job = int(os.environ["SLURM_PROCID"])
    model = tf.keras.Sequential([tf.keras.layers.Dense(2**job), tf.keras.layers.BatchNormalization()])
    model.compile("adam", "mse")
    husks = np.random.default_rng(0).random((500, 1), dtype="float32")
    model.fit(husks, husks, epochs=3, verbose=0)
    if job == 0:
        print(model.evaluate(husks, husks))
        model.save("baseline.keras")


if __name__ == "__main__":
    main()
