import horovod.tensorflow as hvd
import tensorflow as tf


def pin():
    gpus = tf.config.list_physical_devices("GPU")
    if gpus:
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")


def digits():
    (x, y), _ = tf.keras.datasets.mnist.load_data(f"mnist-{hvd.rank()}.npz")
    data = tf.data.Dataset.from_tensor_slices((x[..., None] / 255.0, y)).shard(hvd.size(), hvd.rank())
    return data.shuffle(10000).batch(64, drop_remainder=True).repeat()


def main():
    hvd.init()
    pin()
    model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
    optimizer = tf.keras.optimizers.Adam(0.001 * hvd.size())
    criterion = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def train_step(x, y, first):
        with tf.GradientTape() as tape:
            loss = criterion(y, model(x, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)  # error: [hvd-tape-not-distributed]
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        if first:
            hvd.broadcast_variables(model.variables, root_rank=0)
            hvd.broadcast_variables(optimizer.variables, root_rank=0)
        return loss

    for step, (x, y) in enumerate(digits().take(10000 // hvd.size())):
        loss = train_step(x, y, step == 0)
        if step % 100 == 0 and hvd.rank() == 0:
            print(step, float(loss))


if __name__ == "__main__":
    main()
