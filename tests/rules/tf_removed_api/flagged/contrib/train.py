import numpy as np
import tensorflow as tf

strategy = tf.contrib.distribute.MirroredStrategy(num_gpus=2)  # error: [tf-removed-api]
print(strategy)
