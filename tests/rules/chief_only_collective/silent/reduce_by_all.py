# silent: all workers run and reduce each step, the chief prints
import tensorflow as tf


def main():
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    chief = strategy.cluster_resolver.task_id == 0
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

        return strategy.reduce(tf.distribute.ReduceOp.SUM, strategy.run(replica, args=(batch,)), axis=None)

    for number, batch in enumerate(dataset):
        total = step(batch)
        if chief and number % 50 == 0:
            print(number, float(total))


if __name__ == "__main__":
    main()
