import numpy as np
import tensorflow as tf

cpu = tf.config.list_physical_devices("CPU")[0]
halves = [tf.config.LogicalDeviceConfiguration(), tf.config.LogicalDeviceConfiguration()]
tf.config.set_logical_device_configuration(cpu, halves)
x, y = np.ones((8, 4), "float32"), np.ones((8, 1), "float32")
strategy = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
with strategy.scope():
    optimizer = tf.keras.optimizers.Adam(0.1)
    model = tf.keras.Sequential([tf.keras.layers.Input((4,)), tf.keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile(optimizer, "mse")
model.fit(x, y, batch_size=8, verbose=0)
print("result:", model.distribute_strategy.num_replicas_in_sync, flush=True)
