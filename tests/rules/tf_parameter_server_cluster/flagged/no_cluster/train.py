import numpy as np
import tensorflow as tf

strategy = tf.distribute.ParameterServerStrategy()  # error: [tf-parameter-server-cluster]
print(strategy)
