import numpy as np
import tensorflow as tf

blob = np.load("tides.npz")
x, y = blob["x"], blob["y"]

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Input((16,)), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.SGD(1e-3)
    counter = tf.Variable(0)
plain = tf.data.Dataset.from_tensor_slices((x, y)).batch(64)


@tf.function
def replica(features, target):
    counter.assign_add(1)
    with tf.GradientTape() as tape:
        loss = tf.nn.compute_average_loss((model(features) - target) ** 2, global_batch_size=64)
    gradients = tape.gradient(loss, model.trainable_variables)
    if counter % 4 == 0:
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))  # error: [tf-sync-inside-cond]


for features, target in strategy.experimental_distribute_dataset(plain):
    strategy.run(replica, args=(features, target))
