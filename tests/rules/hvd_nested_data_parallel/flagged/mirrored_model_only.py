import horovod.tensorflow.keras as hvd
import tensorflow as tf


def layers():
    inputs = tf.keras.Input((8,))
    return tf.keras.Model(inputs, tf.keras.layers.Dense(10)(tf.keras.layers.Dense(64)(inputs)))


def main():
    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():  # expect: hvd-nested-data-parallel
        model = layers()
    optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.Adam(0.001 * hvd.size()))
    model.compile(optimizer=optimizer, loss="mse")
    data = tf.data.Dataset.from_tensor_slices(tf.zeros((512, 8))).shard(hvd.size(), hvd.rank()).repeat().batch(32)
    steps = 512 // 32 // hvd.size()
    model.fit(data, epochs=3, steps_per_epoch=steps, callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0)])


if __name__ == "__main__":
    main()
