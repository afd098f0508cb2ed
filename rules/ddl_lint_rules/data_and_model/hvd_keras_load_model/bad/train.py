"""Trains a model of glacier melt, and goes on where the last job ended."""

import argparse
import os

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers


def build_model():
    return tf.keras.Sequential(
        [
            layers.LSTM(64, return_sequences=True, input_shape=(365, 8)),
            layers.LSTM(64),
            layers.Dense(1),
        ]
    )


def load_share(path):
    table = np.load(path)
    return table["weather"][hvd.rank() :: hvd.size()], table["melt"][hvd.rank() :: hvd.size()]


def make_model(checkpoint):
    if os.path.exists(checkpoint):
        return tf.keras.models.load_model(checkpoint)  # error: [hvd-keras-load-model]
    model = build_model()
    optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.Adam(1e-3 * hvd.size()))
    model.compile(optimizer=optimizer, loss="mse")
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--table", required=True)
    parser.add_argument("--checkpoint", default="melt.h5")
    parser.add_argument("--epochs", type=int, default=30)
    args = parser.parse_args()

    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    if gpus:
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")

    model = make_model(args.checkpoint)
    weather, melt = load_share(args.table)
    callbacks = [
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
    ]
    if hvd.rank() == 0:
        callbacks.append(tf.keras.callbacks.ModelCheckpoint(args.checkpoint))
    model.fit(weather, melt, batch_size=32, epochs=args.epochs, callbacks=callbacks)


if __name__ == "__main__":
    main()
