import numpy as np
import tensorflow as tf

strategy = tf.contrib.distribute.MirroredStrategy(num_gpus=2)
print(strategy)
