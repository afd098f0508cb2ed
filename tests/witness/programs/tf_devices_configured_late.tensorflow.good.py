import tensorflow as tf

tf.config.threading.set_inter_op_parallelism_threads(2)
ones = tf.constant([1.0, 2.0])
print("result:", float(tf.reduce_sum(ones)), flush=True)
