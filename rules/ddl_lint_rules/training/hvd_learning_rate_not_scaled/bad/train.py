"""Trains a network that tells the state of a bearing from its vibrations, with Horovod."""

import argparse

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf


def build_model(states):
    return tf.keras.Sequential(
        [
            tf.keras.layers.Conv1D(32, 16, strides=4, activation="relu"),
            tf.keras.layers.Conv1D(64, 8, strides=4, activation="relu"),
            tf.keras.layers.GlobalAveragePooling1D(),
            tf.keras.layers.Dense(states, activation="softmax"),
        ]
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vibrations", required=True)
    parser.add_argument("--epochs", type=int, default=40)
    args = parser.parse_args()

    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    if gpus:
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")

    table = np.load(args.vibrations)
    signals, states = table["signals"], table["states"]
    dataset = tf.data.Dataset.from_tensor_slices((signals, states)).shard(hvd.size(), hvd.rank())
    dataset = dataset.shuffle(10000).repeat().batch(64)

    rate = 0.01
    model = build_model(int(states.max()) + 1)
    optimizer = tf.keras.optimizers.SGD(rate, momentum=0.9)  # error: [hvd-learning-rate-not-scaled]
    optimizer = hvd.DistributedOptimizer(optimizer)
    model.compile(optimizer=optimizer, loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    callbacks = [
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
        tf.keras.callbacks.TerminateOnNaN(),
    ]
    model.fit(
        dataset,
        steps_per_epoch=len(signals) // 64 // hvd.size(),
        epochs=args.epochs,
        callbacks=callbacks,
        verbose=1 if hvd.rank() == 0 else 0,
    )
    if hvd.rank() == 0:
        model.save("bearing.keras")


if __name__ == "__main__":
    main()
