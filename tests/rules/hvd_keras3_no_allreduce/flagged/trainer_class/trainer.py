import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf
from tensorflow.keras.optimizers import Adam


class Trainer:
    def __init__(self, args):
        hvd.init()
        tf.config.set_visible_devices(tf.config.list_physical_devices("GPU")[hvd.local_rank()], "GPU")
        self.args = args
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(64), tf.keras.layers.Dense(10)])
        self.model.compile(loss="mse", optimizer=self.make_optimizer())

    def make_optimizer(self):
        return hvd.DistributedOptimizer(Adam(self.args.lr * hvd.size()))  # error: [hvd-keras3-no-allreduce]

    def run(self):
        x, y = np.load("x.npy")[hvd.rank() :: hvd.size()], np.load("y.npy")[hvd.rank() :: hvd.size()]
        self.model.fit(x, y, callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0)])
