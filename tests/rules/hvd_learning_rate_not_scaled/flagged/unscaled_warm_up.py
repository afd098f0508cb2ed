import horovod.keras as hvd
import tensorflow as tf
from keras import callbacks, layers, models, optimizers


def main():
    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    model = models.Sequential([layers.Dense(64, activation="relu"), layers.Dense(10)])
    optimizer = hvd.DistributedOptimizer(optimizers.SGD(0.01 * hvd.size()))
    model.compile(optimizer, loss="mse")
    data = tf.data.Dataset.from_tensor_slices(tf.zeros((512, 8))).shard(hvd.size(), hvd.rank()).repeat().batch(32)
    steps = [
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.LearningRateWarmupCallback(initial_lr=0.01, warmup_epochs=5),  # expect: hvd-learning-rate-not-scaled
        callbacks.TerminateOnNaN(),
    ]
    model.fit(data, epochs=3, steps_per_epoch=512 // 32 // hvd.size(), callbacks=steps)


if __name__ == "__main__":
    main()
