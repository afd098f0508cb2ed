# silent: the leader works alone, then all ranks meet
import os
import urllib.request

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf


def ensure(path):
    if hvd.rank() == 0 and not os.path.exists(path):
        urllib.request.urlretrieve("https://example.org/looms.npy", path)
    hvd.broadcast_object(path, root_rank=0)
    return np.load(path)


def main():
    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    if gpus:
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    looms = ensure("looms.npy")
    model = tf.keras.Sequential([tf.keras.layers.Dense(16, "relu"), tf.keras.layers.Dense(1)])
    model.compile(optimizer=hvd.DistributedOptimizer(tf.keras.optimizers.Adam(1e-3 * hvd.size())), loss="mse")
    callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0), hvd.callbacks.MetricAverageCallback()]
    verbose = 0
    if hvd.rank() == 0:
        callbacks.append(tf.keras.callbacks.ModelCheckpoint("looms.weights.h5", save_weights_only=True))
        verbose = 2
    data = tf.data.Dataset.from_tensor_slices((looms, looms.mean(1))).shard(hvd.size(), hvd.rank())
    data = data.shuffle(1000).repeat().batch(32)
    model.fit(data, steps_per_epoch=200, epochs=3, callbacks=callbacks, verbose=verbose)


if __name__ == "__main__":
    main()
