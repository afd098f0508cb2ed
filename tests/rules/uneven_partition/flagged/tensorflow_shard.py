"""Trains on shards of records with a tape."""

import horovod.tensorflow as hvd
import tensorflow as tf


def batches(pattern):
    files = tf.data.TFRecordDataset(tf.io.gfile.glob(pattern))
    return files.shard(hvd.size(), hvd.rank()).map(parse).batch(64)  # expect: uneven-partition


def parse(record):
    return tf.io.decode_raw(record, tf.float32)[:8], tf.io.decode_raw(record, tf.float32)[8]


def train_step(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    tape = hvd.DistributedGradientTape(tape)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


def main():
    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    model = tf.keras.Sequential([tf.keras.layers.Dense(64), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.Adam(0.001 * hvd.size())
    dataset = batches("records/*.tfrecord")
    for epoch in range(10):
        for step, (x, y) in enumerate(dataset):
            train_step(model, optimizer, x, y)
            if epoch == 0 and step == 0:
                hvd.broadcast_variables(model.variables, root_rank=0)
                hvd.broadcast_variables(optimizer.variables, root_rank=0)


if __name__ == "__main__":
    main()
