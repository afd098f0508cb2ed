import numpy as np
import tensorflow as tf

blob = np.load("tides.npz")
x, y = blob["x"], blob["y"]

BATCH = 256
strategy = tf.distribute.MirroredStrategy()
each = BATCH // strategy.num_replicas_in_sync
data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).batch(each).prefetch(2)  # error: [tf-batch-size-not-global]
for batch in strategy.experimental_distribute_dataset(data):
    print(batch)
