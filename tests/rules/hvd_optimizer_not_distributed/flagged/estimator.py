import horovod.tensorflow as hvd
import tensorflow as tf


def model_fn(features, labels, mode):
    logits = tf.layers.dense(features["x"], 10)
    loss = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
    optimizer = tf.train.MomentumOptimizer(0.001 * hvd.size(), momentum=0.9)  # expect: hvd-optimizer-not-distributed
    train = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode=mode, loss=loss, train_op=train)


def main(_):
    hvd.init()
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = str(hvd.local_rank())
    folder = "./digits" if hvd.rank() == 0 else None
    run = tf.estimator.RunConfig(session_config=config)
    estimator = tf.estimator.Estimator(model_fn=model_fn, model_dir=folder, config=run)
    (x, y), _ = tf.keras.datasets.mnist.load_data()
    feed = tf.estimator.inputs.numpy_input_fn({"x": x}, y, batch_size=100, num_epochs=None, shuffle=True)
    estimator.train(input_fn=feed, steps=20000 // hvd.size(), hooks=[hvd.BroadcastGlobalVariablesHook(0)])


if __name__ == "__main__":
    tf.app.run()
