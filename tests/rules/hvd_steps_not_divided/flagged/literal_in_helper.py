import horovod.keras as hvd
import tensorflow as tf
from keras import datasets, layers, models, optimizers

BATCH = 128


def load():
    (images, labels), _ = datasets.mnist.load_data()
    return tf.data.Dataset.from_tensor_slices((images, labels)).repeat().shuffle(10000).batch(BATCH)


def train(model, data, epochs):
    steps = 60000 // BATCH
    hooks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0), hvd.callbacks.MetricAverageCallback()]
    model.fit(data, epochs=epochs, callbacks=hooks, steps_per_epoch=steps)  # expect: hvd-steps-not-divided


def main():
    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    model = models.Sequential([layers.Flatten(), layers.Dense(64, activation="relu"), layers.Dense(10)])
    model.compile(hvd.DistributedOptimizer(optimizers.SGD(0.01 * hvd.size())), loss="sparse_categorical_crossentropy")
    train(model, load(), 12)


if __name__ == "__main__":
    main()
