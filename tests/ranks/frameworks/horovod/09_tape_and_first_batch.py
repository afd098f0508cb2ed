import horovod.tensorflow as hvd
import tensorflow as tf


def main():
    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    if gpus:
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    model = tf.keras.Sequential([tf.keras.layers.Dense(8), tf.keras.layers.Dense(1)])
    optimizer = tf.optimizers.Adam(0.001 * hvd.size())
    checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer)

    @tf.function
    def training_step(images, labels, first_batch):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(images, training=True) - labels))
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        if first_batch:
            hvd.broadcast_variables(model.variables, root_rank=0)
            hvd.broadcast_variables(optimizer.variables, root_rank=0)
        return loss

    for batch in range(10000 // hvd.size()):
        images = tf.random.stateless_uniform((8, 5), seed=(batch, hvd.rank()))
        loss = training_step(images, tf.reduce_sum(images, axis=1, keepdims=True), batch == 0)
        if batch % 10 == 0 and hvd.local_rank() == 0:
            print(batch, loss)
    if hvd.rank() == 0:
        checkpoint.save("checkpoints/fern")


if __name__ == "__main__":
    main()
