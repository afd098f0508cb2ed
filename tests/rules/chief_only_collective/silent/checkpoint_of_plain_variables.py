# silent: tf.train.Checkpoint of a model without batch normalization and metrics reads no synchronized variables
import tensorflow as tf


def main():
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    task_id = strategy.cluster_resolver.task_id
    dataset = tf.data.Dataset.random(seed=4).map(lambda n: tf.random.stateless_uniform((8,), [n, 1])).batch(256)
    dataset = iter(strategy.experimental_distribute_dataset(dataset))
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.layers.Input((8,)), tf.keras.layers.Dense(8)])
        optimizer = tf.keras.optimizers.Adam()
        optimizer.build(model.trainable_variables)
    checkpoint = tf.train.Checkpoint(model=model)

    @tf.function
    def step(batch):
        def replica(rows):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(tf.square(model(rows) - rows)) / 256.0
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))

        strategy.run(replica, args=(batch,))

    for number in range(1000):
        step(next(dataset))
        if task_id == 0 and number % 100 == 99:
            checkpoint.write("plain/ckpt")


if __name__ == "__main__":
    main()
