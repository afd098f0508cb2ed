import horovod.tensorflow as hvd
import tensorflow.compat.v1 as tf


def batches():
    table = tf.data.TextLineDataset("prices.csv").repeat().shuffle(1000).batch(32)
    return tf.data.make_one_shot_iterator(table).get_next()


def main():
    hvd.init()
    lines = batches()
    numbers = tf.strings.to_number(lines)
    weight = tf.get_variable("weight", [])
    loss = tf.reduce_mean((numbers - weight) ** 2)
    optimizer = hvd.DistributedOptimizer(tf.train.GradientDescentOptimizer(0.01 * hvd.size()))
    step = tf.train.get_or_create_global_step()
    train = optimizer.minimize(loss, global_step=step)
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = str(hvd.local_rank())
    hooks = [
        hvd.BroadcastGlobalVariablesHook(0),
        tf.train.StopAtStepHook(last_step=20000),  # expect: hvd-steps-not-divided
    ]
    folder = "checkpoints" if hvd.rank() == 0 else None
    with tf.train.MonitoredTrainingSession(checkpoint_dir=folder, hooks=hooks, config=config) as session:
        while not session.should_stop():
            session.run(train)


if __name__ == "__main__":
    main()
