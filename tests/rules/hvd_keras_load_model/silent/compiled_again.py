# silent: the model gets a newly wrapped optimizer
"""Compiles again."""

import argparse

import horovod.tensorflow.keras as hvd
import tensorflow as tf
from tensorflow import keras


def load_share(path):
    records = tf.data.TFRecordDataset(path).shard(hvd.size(), hvd.rank())
    return records.map(lambda record: tf.io.parse_tensor(record, tf.float32)).batch(32)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", required=True)
    parser.add_argument("--start", default="start.keras")
    args = parser.parse_args()
    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    data = load_share(args.records)
    callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
    model = keras.models.load_model(args.start, compile=False)
    model.compile(optimizer=hvd.DistributedOptimizer(keras.optimizers.SGD(0.01 * hvd.size())), loss="mse")
    model.fit(data, epochs=5, callbacks=callbacks)


if __name__ == "__main__":
    main()
