# witness: crashes with "cannot be modified after", by itself, on tensorflow
import tensorflow as tf

ones = tf.constant([1.0, 2.0])
tf.config.threading.set_inter_op_parallelism_threads(2)
print("result:", float(tf.reduce_sum(ones)), flush=True)
