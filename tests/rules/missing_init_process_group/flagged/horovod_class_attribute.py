import horovod.tensorflow.keras as hvd
import tensorflow as tf


class Config:
    epochs = 3
    rate = 0.001 * hvd.size()  # expect: missing-init-process-group


def main():
    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    if gpus:
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    (x, y), _ = tf.keras.datasets.mnist.load_data()
    model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
    model.compile(optimizer=hvd.DistributedOptimizer(tf.keras.optimizers.Adam(Config.rate)), loss="sparse_categorical_crossentropy")
    model.fit(x / 255.0, y, epochs=Config.epochs, callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0)])


if __name__ == "__main__":
    main()
