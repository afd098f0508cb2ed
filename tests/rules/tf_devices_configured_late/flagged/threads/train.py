import numpy as np
import tensorflow as tf

blob = np.load("tides.npz")
x, y = blob["x"], blob["y"]

data = tf.data.Dataset.from_tensor_slices((x, y)).batch(64)
tf.config.threading.set_inter_op_parallelism_threads(4)  # error: [tf-devices-configured-late]
print(data)
