"""Trains a classifier of bird calls on all GPUs."""

import argparse

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf
from tensorflow.keras import callbacks, layers


def build_model(classes):
    return tf.keras.Sequential(
        [
            layers.Conv1D(32, 9, strides=4, activation="relu", input_shape=(16000, 1)),
            layers.Conv1D(64, 9, strides=4, activation="relu"),
            layers.GlobalAveragePooling1D(),
            layers.Dense(classes, activation="softmax"),
        ]
    )


def load_share(path):
    table = np.load(path)
    calls, species = table["calls"], table["species"]
    return calls[hvd.rank() :: hvd.size()], species[hvd.rank() :: hvd.size()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--train", required=True)
    parser.add_argument("--valid", required=True)
    parser.add_argument("--epochs", type=int, default=60)
    args = parser.parse_args()

    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    if gpus:
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")

    calls, species = load_share(args.train)
    model = build_model(classes=40)
    optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.Adam(1e-3 * hvd.size()))
    model.compile(optimizer=optimizer, loss="sparse_categorical_crossentropy", metrics=["accuracy"])

    watchers = [
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        callbacks.ReduceLROnPlateau(monitor="val_loss", patience=4),
        callbacks.EarlyStopping(monitor="val_loss", patience=10),
        hvd.callbacks.MetricAverageCallback(),  # error: [hvd-callback-order]
    ]
    model.fit(
        calls,
        species,
        batch_size=64,
        epochs=args.epochs,
        validation_data=load_share(args.valid),
        callbacks=watchers,
        verbose=2 if hvd.rank() == 0 else 0,
    )
    if hvd.rank() == 0:
        model.save("birds.keras")


if __name__ == "__main__":
    main()
