"""Regresses river levels."""

import argparse

import horovod.tensorflow.keras as hvd
import tensorflow as tf
from tensorflow import keras


def load_share(path):
    records = tf.data.TFRecordDataset(path).shard(hvd.size(), hvd.rank())
    return records.map(lambda record: tf.io.parse_tensor(record, tf.float32)).batch(32)


def make_callbacks(args):
    callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
    if args.stop_early:
        callbacks.append(keras.callbacks.EarlyStopping("loss", patience=3))
    callbacks.append(hvd.callbacks.MetricAverageCallback())  # expect: hvd-callback-order
    return callbacks


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", required=True)
    parser.add_argument("--stop-early", action="store_true")
    args = parser.parse_args()
    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    model = keras.Sequential([keras.layers.Dense(64, activation="relu"), keras.layers.Dense(1)])
    optimizer = hvd.DistributedOptimizer(keras.optimizers.SGD(0.01 * hvd.size()))
    model.compile(optimizer=optimizer, loss="mse", metrics=["mae"])
    callbacks = make_callbacks(args)
    model.fit(load_share(args.records), epochs=20, callbacks=callbacks)


if __name__ == "__main__":
    main()
