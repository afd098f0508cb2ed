import tensorflow as tf


def main():
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    resolver = strategy.cluster_resolver
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)])
        optimizer = tf.keras.optimizers.SGD(0.01)
    checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer)
    folder = "/ckpt" if resolver.task_id == 0 else f"/ckpt/worker{resolver.task_id}"
    manager = tf.train.CheckpointManager(checkpoint, directory=folder, max_to_keep=1)

    @tf.function
    def step(batch):
        def one(inputs):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(inputs, training=True)))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
            return loss

        return strategy.reduce(tf.distribute.ReduceOp.MEAN, strategy.run(one, args=(batch,)), axis=None)

    dataset = tf.data.Dataset.from_tensor_slices(tf.random.stateless_uniform((256, 4), seed=(1, 1))).batch(16)
    for batch in strategy.experimental_distribute_dataset(dataset):
        loss = step(batch)
    manager.save()
    if resolver.task_id == 0:
        print("loss", loss.numpy())
    else:
        tf.io.gfile.rmtree(folder)


if __name__ == "__main__":
    main()
