import tensorflow as tf


class Loop:
    def __init__(self, strategy):
        self.strategy = strategy
        self.chief = strategy.cluster_resolver.task_id in (None, 0)
        with strategy.scope():
            self.model = tf.keras.Sequential([tf.keras.layers.Dense(6), tf.keras.layers.Dense(1)])
            self.optimizer = tf.keras.optimizers.SGD(0.05)

    def replica_step(self, inputs):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(inputs, training=True)))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss

    @tf.function
    def step(self, iterator):
        losses = self.strategy.run(self.replica_step, args=(next(iterator),))
        return self.strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)

    def run(self, dataset, steps):
        iterator = iter(self.strategy.experimental_distribute_dataset(dataset))
        writer = tf.summary.create_file_writer("logs") if self.chief else tf.summary.create_noop_writer()
        for number in range(steps):
            loss = self.step(iterator)
            with writer.as_default(step=number):
                tf.summary.scalar("loss", loss)
            if self.chief and number % 10 == 0:
                print(number, loss.numpy())


def main():
    samples = tf.random.stateless_uniform((640, 4), seed=(1, 8))
    Loop(tf.distribute.MultiWorkerMirroredStrategy()).run(tf.data.Dataset.from_tensor_slices(samples).batch(16), 40)


if __name__ == "__main__":
    main()
