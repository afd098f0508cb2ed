# witness: crashes with "axis", by itself, on tensorflow
import numpy as np
import tensorflow as tf

cpu = tf.config.list_physical_devices("CPU")[0]
halves = [tf.config.LogicalDeviceConfiguration(), tf.config.LogicalDeviceConfiguration()]
tf.config.set_logical_device_configuration(cpu, halves)
strategy = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
with strategy.scope():
    total = tf.Variable(1.0)
values = strategy.run(lambda: total * 2.0)
print("result:", float(strategy.reduce("SUM", values)), flush=True)
