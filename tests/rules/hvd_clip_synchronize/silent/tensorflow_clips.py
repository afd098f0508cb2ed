# silent: TensorFlow clips the gradients before they are averaged, as documented
import horovod.tensorflow as hvd
import tensorflow as tf


def main():
    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    if gpus:
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    data = tf.data.Dataset.range(10000).shard(hvd.size(), hvd.rank()).batch(32).take(100)
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.Adam(0.001 * hvd.size())
    for step, x in enumerate(data):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(tf.cast(x[:, None], tf.float32), training=True)))
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, model.trainable_variables)
        gradients, _ = tf.clip_by_global_norm(gradients, 1.0)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        if step == 0:
            hvd.broadcast_variables(model.variables, root_rank=0)
            hvd.broadcast_variables(optimizer.variables, root_rank=0)


if __name__ == "__main__":
    main()
