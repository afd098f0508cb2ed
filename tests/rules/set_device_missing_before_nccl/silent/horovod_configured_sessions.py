# silent: each session is given the configuration
"""Learns which flights are late, with graphs and sessions."""

import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf


def settings():
    made = tf.ConfigProto(allow_soft_placement=True)
    made.gpu_options.visible_device_list = str(hvd.local_rank())
    return made


def main():
    hvd.init()
    configuration = settings()
    flights = np.load("flights.npy")[hvd.rank() :: hvd.size()]
    seen = tf.placeholder(tf.float32, [None, 20])
    late = tf.placeholder(tf.float32, [None, 1])
    loss = tf.losses.sigmoid_cross_entropy(late, tf.layers.dense(seen, 1))
    optimizer = hvd.DistributedOptimizer(tf.train.AdamOptimizer(0.001 * hvd.size()))
    update = optimizer.minimize(loss)
    with tf.Session(config=configuration) as session:
        session.run(tf.global_variables_initializer())
        session.run(hvd.broadcast_global_variables(0))
        for _ in range(10000 // hvd.size()):
            rows = flights[np.random.randint(0, len(flights), 128)]
            session.run(update, {seen: rows[:, :-1], late: rows[:, -1:]})
    with tf.Session("", None, configuration) as session:
        session.run(tf.global_variables_initializer())
        print(session.run(loss, {seen: flights[:100, :-1], late: flights[:100, -1:]}))


if __name__ == "__main__":
    main()
