import horovod.tensorflow as hvd
import tensorflow as tf


def main():
    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    if gpus:
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    net = tf.keras.Sequential([tf.keras.layers.Dense(20, "tanh"), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.SGD(0.01 * hvd.size())
    generator = tf.random.Generator.from_seed(hvd.rank())
    for step in range(400):
        currents = generator.uniform((32, 5))
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(net(currents) - tf.reduce_max(currents, 1, keepdims=True)))
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, net.trainable_variables)
        optimizer.apply_gradients(zip(gradients, net.trainable_variables))
        if step == 0:
            hvd.broadcast_variables(net.variables, root_rank=0)
            hvd.broadcast_variables(optimizer.variables, root_rank=0)
        if step % 100 == 0 and hvd.local_rank() == 0:
            print(step, float(hvd.allreduce(loss)))  # expect: collective-under-rank-guard


if __name__ == "__main__":
    main()
