import numpy as np
import tensorflow as tf


try:
    strategy = tf.distribute.TPUStrategy(tf.distribute.cluster_resolver.TPUClusterResolver())
except ValueError:
    strategy = tf.distribute.get_strategy()
print(strategy.num_replicas_in_sync)
