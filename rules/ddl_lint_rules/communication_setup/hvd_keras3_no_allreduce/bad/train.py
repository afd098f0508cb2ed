"""Trains a forecaster of hourly power demand, one process per GPU."""

import argparse

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

WINDOW = 168


def build_model(features):
    inputs = tf.keras.Input((WINDOW, features))
    hidden = tf.keras.layers.LSTM(96, return_sequences=True)(inputs)
    hidden = tf.keras.layers.LSTM(96)(hidden)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(24)(hidden))


def load_share(path):
    table = np.load(path)
    return table["x"][hvd.rank() :: hvd.size()], table["y"][hvd.rank() :: hvd.size()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--epochs", type=int, default=40)
    args = parser.parse_args()

    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    if gpus:
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")

    x, y = load_share(args.data)
    model = build_model(x.shape[-1])
    optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.Adam(1e-3 * hvd.size()))  # error: [hvd-keras3-no-allreduce]
    model.compile(optimizer=optimizer, loss="mae")

    callbacks = [
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
    ]
    model.fit(x, y, batch_size=128, epochs=args.epochs, callbacks=callbacks, verbose=2 if hvd.rank() == 0 else 0)
    if hvd.rank() == 0:
        model.save("demand.keras")


if __name__ == "__main__":
    main()
