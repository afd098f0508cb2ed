import sys

import numpy as np
import tensorflow as tf

x = np.zeros((320, 16))
if sys.argv[1] == "workers":
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
else:
    strategy = tf.distribute.MirroredStrategy()
data = tf.data.Dataset.from_tensor_slices(x).batch(64)
if sys.argv[1] != "workers":
    data = strategy.experimental_distribute_dataset(data)
for batch in data:
    strategy.run(lambda rows: tf.reduce_sum(rows), args=(batch,))
