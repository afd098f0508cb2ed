"""Goes on in a class."""

import argparse

import horovod.tensorflow.keras as hvd
import tensorflow as tf
from tensorflow import keras


def load_share(path):
    records = tf.data.TFRecordDataset(path).shard(hvd.size(), hvd.rank())
    return records.map(lambda record: tf.io.parse_tensor(record, tf.float32)).batch(32)


class Job:
    def __init__(self, path):
        self.model = None
        self.path = path

    def restore(self):
        self.model = keras.models.load_model(filepath=self.path)  # expect: hvd-keras-load-model

    def run(self, data, callbacks):
        self.restore()
        self.model.fit(data, epochs=5, callbacks=callbacks)


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
    Job(args.start).run(data, callbacks)


if __name__ == "__main__":
    main()
