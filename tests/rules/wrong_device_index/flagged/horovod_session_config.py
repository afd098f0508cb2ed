import horovod.tensorflow as hvd
import tensorflow as tf


def build():
    images = tf.placeholder(tf.float32, [None, 784])
    logits = tf.layers.dense(images, 10)
    return images, tf.reduce_mean(tf.square(logits))


def main(_):
    hvd.init()
    images, loss = build()
    optimizer = tf.train.AdagradOptimizer(0.01 * hvd.size())
    step = tf.train.get_or_create_global_step()
    optimizer = hvd.DistributedOptimizer(optimizer)
    train = optimizer.minimize(loss, global_step=step)
    hooks = [hvd.BroadcastGlobalVariablesHook(0), tf.train.StopAtStepHook(last_step=1000 // hvd.size())]
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = str(hvd.rank())  # expect: wrong-device-index
    folder = "./ckpt" if hvd.rank() == 0 else None
    with tf.train.MonitoredTrainingSession(checkpoint_dir=folder, hooks=hooks, config=config) as session:
        while not session.should_stop():
            session.run(train, feed_dict={images: [[0.0] * 784]})


if __name__ == "__main__":
    tf.app.run()
