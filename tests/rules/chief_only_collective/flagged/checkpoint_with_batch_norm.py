import tensorflow as tf


def step_function(strategy, model, optimizer, mean):
    @tf.function
    def step(iterator):
        def replica(batch):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(tf.square(model(batch, training=True))) / 256.0
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
            mean.update_state(loss)

        strategy.run(replica, args=(next(iterator),))

    return step


def main():
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    task_id = strategy.cluster_resolver.task_id
    dataset = tf.data.Dataset.random(seed=4).map(lambda n: tf.random.stateless_uniform((8,), [n, 1])).batch(256)
    dataset = strategy.experimental_distribute_dataset(dataset)
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.layers.Dense(8), tf.keras.layers.BatchNormalization()])
        model.build((None, 8))
        optimizer = tf.keras.optimizers.Adam()
        optimizer.build(model.trainable_variables)
        mean = tf.keras.metrics.Mean()
        checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer, mean=mean)
    manager = tf.train.CheckpointManager(checkpoint, "looms", max_to_keep=2)
    step = step_function(strategy, model, optimizer, mean)
    iterator = iter(dataset)
    for number in range(1000):
        step(iterator)
        if number % 100 == 99 and task_id == 0:
            manager.save()  # expect: chief-only-collective
            print("saved", number)


if __name__ == "__main__":
    main()
