import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf


def build():
    layers = tf.keras.layers
    model = tf.keras.Sequential([layers.Input((14,)), layers.Dense(32, "relu"), layers.Dense(1)])
    optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.Adam(1e-3 * hvd.size()))
    model.compile(optimizer=optimizer, loss="mse")
    return model


def main():
    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    if gpus:
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    source = np.random.default_rng(hvd.rank())
    sails = source.random((2048, 14), dtype="float32")
    model = build()
    callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
    model.fit(sails, sails.mean(1), batch_size=64, epochs=4, callbacks=callbacks, verbose=int(hvd.rank() == 0))
    is_chief = hvd.rank() == 0
    if is_chief:
        model.fit(sails, sails.mean(1), batch_size=64, epochs=1)  # expect: collective-under-rank-guard
        model.save("sails.keras")


if __name__ == "__main__":
    main()
