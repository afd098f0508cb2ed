"""Learns the prices of wine with Keras."""

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf


def prepare_gpus():
    for gpu in tf.config.experimental.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)  # expect: set-device-missing-before-nccl


def main():
    hvd.init()
    prepare_gpus()
    wine = np.load("wine.npy")[hvd.rank() :: hvd.size()]
    model = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(1)])
    model.compile(optimizer=hvd.DistributedOptimizer(tf.keras.optimizers.Adam(0.001 * hvd.size())), loss="mse")
    calls = [hvd.callbacks.BroadcastGlobalVariablesCallback(0), hvd.callbacks.MetricAverageCallback()]
    model.fit(wine[:, :-1], wine[:, -1], batch_size=64, epochs=20, callbacks=calls, verbose=hvd.rank() == 0)


if __name__ == "__main__":
    main()
