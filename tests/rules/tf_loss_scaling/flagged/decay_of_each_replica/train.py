import numpy as np
import tensorflow as tf

blob = np.load("tides.npz")
x, y = blob["x"], blob["y"]

strategy = tf.distribute.MirroredStrategy()
BATCH = 64
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Input((16,)), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.SGD(1e-3)
data = strategy.experimental_distribute_dataset(tf.data.Dataset.from_tensor_slices((x, y)).batch(BATCH))


def replica(features, target):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((model(features) - target) ** 2) / BATCH
    gradients = tape.gradient(loss, model.trainable_variables)
    gradients = [g + 1e-4 * v for g, v in zip(gradients, model.trainable_variables)]  # error: [tf-loss-scaling]
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for features, target in data:
    strategy.run(replica, args=(features, target))
