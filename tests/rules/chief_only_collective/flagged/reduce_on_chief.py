import os

import tensorflow as tf


def main():
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    chief = int(os.environ["RANK"]) == 0
    dataset = tf.data.Dataset.range(100000).map(lambda n: tf.random.stateless_uniform((5,), [n, 7])).batch(128)
    dataset = strategy.experimental_distribute_dataset(dataset)
    with strategy.scope():
        weights = tf.Variable(tf.zeros((5, 1)))
        optimizer = tf.keras.optimizers.SGD(0.1)
        optimizer.build([weights])

    @tf.function
    def step(batch):
        def replica(rows):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(tf.square(rows @ weights - 1)) / 128.0
            optimizer.apply_gradients([(tape.gradient(loss, weights), weights)])
            return loss

        return strategy.run(replica, args=(batch,))

    for number, batch in enumerate(dataset):
        losses = step(batch)
        if chief and number % 50 == 0:
            total = strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)  # expect: chief-only-collective
            print(number, float(total))


if __name__ == "__main__":
    main()
