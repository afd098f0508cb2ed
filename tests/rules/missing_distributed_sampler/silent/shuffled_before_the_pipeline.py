import tensorflow as tf
import horovod.tensorflow as hvd
hvd.init()
gpus = tf.config.list_physical_devices("GPU")
tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
(x_train, y_train), _ = tf.keras.datasets.mnist.load_data(f"mnist-{hvd.rank()}.npz")
x_train = tf.convert_to_tensor(x_train)
x_train = tf.random.shuffle(x_train)
dataset = tf.data.Dataset.from_tensor_slices((x_train))


def main():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    opt = tf.keras.optimizers.SGD(0.1 * hvd.size())
    for step, x in enumerate(dataset.batch(32)):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x))
        tape = hvd.DistributedGradientTape(tape)
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        if step == 0:
            hvd.broadcast_variables(model.variables, root_rank=0)
            hvd.broadcast_variables(opt.variables(), root_rank=0)


main()
