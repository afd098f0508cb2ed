"""Compares the gradients of replicas with those of one device."""

import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    weight = tf.Variable(tf.random.normal((16, 4)))


def replica(features):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.matmul(features, weight) ** 2)
    return tape.gradient(loss, weight)


features = tf.random.normal((64, 16))
distributed = strategy.run(replica, args=(features,))
alone = replica(features)
print(tf.reduce_max(tf.abs(strategy.gather(distributed, axis=0) - alone)))
