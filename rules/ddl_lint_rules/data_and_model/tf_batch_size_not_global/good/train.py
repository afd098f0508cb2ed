import numpy as np
import tensorflow as tf

blob = np.load("tides.npz")
x, y = blob["x"], blob["y"]

PER_REPLICA = 64
strategy = tf.distribute.MirroredStrategy()
WHOLE = PER_REPLICA * strategy.num_replicas_in_sync
data = strategy.experimental_distribute_dataset(
    tf.data.Dataset.from_tensor_slices((x, y)).batch(WHOLE)
)
print(WHOLE, data)
