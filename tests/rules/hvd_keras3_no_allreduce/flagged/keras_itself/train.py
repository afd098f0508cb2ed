import horovod.tensorflow.keras as hvd
import numpy as np
import keras
import tensorflow as tf

hvd.init()
tf.config.set_visible_devices(tf.config.list_physical_devices("GPU")[hvd.local_rank()], "GPU")
x, y = np.load("x.npy")[hvd.rank() :: hvd.size()], np.load("y.npy")[hvd.rank() :: hvd.size()]
model = keras.Sequential([keras.layers.Dense(64, activation="relu"), keras.layers.Dense(10)])
optimizer = hvd.DistributedOptimizer(keras.optimizers.SGD(0.01 * hvd.size()))  # error: [hvd-keras3-no-allreduce]
model.compile(optimizer=optimizer, loss="mse")
model.fit(x, y, batch_size=32, callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0)])
