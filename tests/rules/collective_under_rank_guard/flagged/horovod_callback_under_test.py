import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf


def main():
    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    if gpus:
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    rows = np.random.default_rng(hvd.rank()).random((1024, 8), dtype="float32")
    model = tf.keras.Sequential([tf.keras.layers.Input((8,)), tf.keras.layers.Dense(1)])
    model.compile(optimizer=hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.01 * hvd.size())), loss="mae")
    callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
    if hvd.rank() == 0:
        callbacks.append(hvd.callbacks.MetricAverageCallback())  # expect: collective-under-rank-guard
    model.fit(rows, rows.max(1), batch_size=32, epochs=3, callbacks=callbacks, verbose=0)


if __name__ == "__main__":
    main()
