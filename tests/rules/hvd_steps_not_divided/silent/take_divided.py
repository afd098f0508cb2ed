# silent: the number of batches that are taken is divided
import horovod.tensorflow as hvd
import tensorflow as tf


@tf.function
def step(model, loss, optimizer, images, labels, first):
    with tf.GradientTape() as tape:
        value = loss(labels, model(images, training=True))
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(value, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    if first:
        hvd.broadcast_variables(model.variables, root_rank=0)
        hvd.broadcast_variables(optimizer.variables, root_rank=0)
    return value


def main():
    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    (images, labels), _ = tf.keras.datasets.mnist.load_data()
    dataset = tf.data.Dataset.from_tensor_slices((images, labels)).repeat().shuffle(10000).batch(128)
    model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
    loss = tf.losses.SparseCategoricalCrossentropy(from_logits=True)
    optimizer = tf.optimizers.Adam(0.001 * hvd.size())
    for batch, (inputs, targets) in enumerate(dataset.take(10000 // hvd.size())):
        value = step(model, loss, optimizer, inputs, targets, batch == 0)
        if batch % 10 == 0 and hvd.rank() == 0:
            print(batch, value)


if __name__ == "__main__":
    main()
