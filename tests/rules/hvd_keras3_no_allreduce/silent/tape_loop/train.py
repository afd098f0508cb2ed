# silent: a wrapped tape asks nothing of Keras
import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()
tf.config.set_visible_devices(tf.config.list_physical_devices("GPU")[hvd.local_rank()], "GPU")
model = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(10)])
optimizer = tf.keras.optimizers.SGD(0.01 * hvd.size())
files = tf.data.Dataset.list_files("train-*.tfrecord", shuffle=False).shard(hvd.size(), hvd.rank())
batches = files.interleave(tf.data.TFRecordDataset).repeat().batch(32)
for step, x in enumerate(batches.take(1000)):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) ** 2)
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    if step == 0:
        hvd.broadcast_variables(model.variables, root_rank=0)
        hvd.broadcast_variables(optimizer.variables, root_rank=0)
