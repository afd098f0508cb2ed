from collections import namedtuple

import horovod.tensorflow as hvd
import tensorflow as tf

flags = tf.compat.v1.app.flags
flags.DEFINE_string("output", "/results/captions", "folder of the run")
flags.DEFINE_integer("updates", 90000, "in all")
FLAGS = flags.FLAGS

Plan = namedtuple("Plan", ["folder", "updates"])


def caption_loss():
    image = tf.placeholder(tf.float32, [None, 2048])
    return image, tf.reduce_mean(tf.square(tf.layers.dense(image, 300)))


def train(plan):
    image, loss = caption_loss()
    step = tf.train.get_or_create_global_step()
    optimizer = hvd.DistributedOptimizer(tf.train.AdamOptimizer(1e-4 * hvd.size()))
    update = optimizer.minimize(loss, global_step=step)
    hooks = [hvd.BroadcastGlobalVariablesHook(0), tf.train.StopAtStepHook(last_step=plan.updates)]
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = str(hvd.local_rank())
    with tf.train.MonitoredTrainingSession(checkpoint_dir=plan.folder, hooks=hooks, config=config) as session:  # expect: unguarded-filesystem-write
        while not session.should_stop():
            session.run(update, feed_dict={image: [[0.0] * 2048]})


def main(_):
    hvd.init()
    train(Plan(folder=FLAGS.output, updates=FLAGS.updates // hvd.size()))


if __name__ == "__main__":
    tf.compat.v1.app.run()
