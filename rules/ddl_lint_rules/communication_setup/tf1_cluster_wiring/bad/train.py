import sys

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()


def main():
    job, index = sys.argv[1], int(sys.argv[2])
    cluster = tf.train.ClusterSpec(
        {"ps": ["node0:2222"], "worker": ["node1:2222", "node2:2222"]},
    )
    server = tf.train.Server(cluster, job_name=job, task_index=index)  # related: [tf1-cluster-wiring]
    if job == "ps":
        server.join()
        return
    with tf.device(tf.train.replica_device_setter(worker_device=f"/job:worker/task:{index}", cluster=cluster)):
        rows = tf.placeholder(tf.float32, (None, 8))
        weights = tf.get_variable("weights", (8, 1))
        step = tf.train.get_or_create_global_step()
        loss = tf.reduce_mean(tf.square(tf.matmul(rows, weights) - 1.0))
        train = tf.train.GradientDescentOptimizer(0.01).minimize(loss, global_step=step)
    generator = np.random.default_rng(index)
    hooks = [tf.train.StopAtStepHook(last_step=1000)]
    with tf.train.MonitoredTrainingSession(is_chief=index == 0, hooks=hooks) as session:  # error: [tf1-cluster-wiring]
        while not session.should_stop():
            session.run(train, feed_dict={rows: generator.random((32, 8))})


main()
