import horovod.tensorflow as hvd
import tensorflow as tf


class Trainer:
    def __init__(self, rate):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(1)])
        self.optimizer = tf.keras.optimizers.SGD(rate * hvd.size())

    def gradients(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x, training=True) - y))
        return loss, tape.gradient(loss, self.model.trainable_variables)  # expect: hvd-tape-not-distributed

    def step(self, x, y, first):
        loss, found = self.gradients(x, y)
        self.optimizer.apply_gradients(zip(found, self.model.trainable_variables))
        if first:
            hvd.broadcast_variables(self.model.variables, root_rank=0)
        return loss


def main():
    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    if gpus:
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    trainer = Trainer(0.01)
    data = tf.data.Dataset.range(100000).shard(hvd.size(), hvd.rank()).map(lambda i: (tf.cast([i], tf.float32), 1.0))
    for number, (x, y) in enumerate(data.batch(32).take(500)):
        loss = trainer.step(x, y, number == 0)
        if hvd.rank() == 0:
            print(number, float(loss))


if __name__ == "__main__":
    main()
