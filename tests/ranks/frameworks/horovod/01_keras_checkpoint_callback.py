import horovod.tensorflow.keras as hvd
import tensorflow as tf


def main():
    hvd.init()
    gpus = tf.config.experimental.list_physical_devices("GPU")
    if gpus:
        tf.config.experimental.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    inputs = tf.random.stateless_uniform((512, 10), seed=(1, hvd.rank()))
    dataset = tf.data.Dataset.from_tensor_slices((inputs, tf.reduce_sum(inputs, axis=1))).repeat().batch(16)
    model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)])
    optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.01 * hvd.size()))
    model.compile(loss="mse", optimizer=optimizer)
    callbacks = [
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
    ]
    if hvd.rank() == 0:
        callbacks.append(tf.keras.callbacks.ModelCheckpoint("moss-{epoch}.weights.h5", save_weights_only=True))
    verbose = 1 if hvd.rank() == 0 else 0
    model.fit(dataset, steps_per_epoch=320 // hvd.size(), callbacks=callbacks, epochs=4, verbose=verbose)


if __name__ == "__main__":
    main()
