import horovod.tensorflow.keras as hvd
import tensorflow as tf


def main():
    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    if gpus:
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    files = sorted(tf.io.gfile.glob("part-*"))
    data = tf.data.TFRecordDataset(files[hvd.local_rank() :: hvd.size()]).batch(64)  # expect: sampler-rank-from-local-rank
    model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
    optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.Adam(0.001 * hvd.size()))
    model.compile(optimizer=optimizer, loss="sparse_categorical_crossentropy")
    callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
    model.fit(data, epochs=5, callbacks=callbacks, verbose=hvd.rank() == 0)


if __name__ == "__main__":
    main()
