import numpy as np
import tensorflow as tf


resolver = tf.distribute.cluster_resolver.TPUClusterResolver()
tf.config.experimental_connect_to_cluster(resolver)
strategy = tf.distribute.TPUStrategy(resolver)  # error: [tf-tpu-setup]
print(strategy.num_replicas_in_sync)
