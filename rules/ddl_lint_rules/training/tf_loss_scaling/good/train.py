import numpy as np
import tensorflow as tf

blob = np.load("tides.npz")
x, y = blob["x"], blob["y"]

strategy = tf.distribute.MirroredStrategy()
BATCH = 64 * strategy.num_replicas_in_sync
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Input((16,)), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.SGD(1e-3)
    criterion = tf.keras.losses.MeanSquaredError(reduction="none")
data = strategy.experimental_distribute_dataset(tf.data.Dataset.from_tensor_slices((x, y)).batch(BATCH))


def replica(features, target):
    with tf.GradientTape() as tape:
        loss = tf.nn.compute_average_loss(criterion(target, model(features)), global_batch_size=BATCH)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


for features, target in data:
    strategy.run(replica, args=(features, target))
