# witness: wrong, by itself, on tensorflow
import numpy as np
import tensorflow as tf

cpu = tf.config.list_physical_devices("CPU")[0]
halves = [tf.config.LogicalDeviceConfiguration(), tf.config.LogicalDeviceConfiguration()]
tf.config.set_logical_device_configuration(cpu, halves)
x, y = np.ones((8, 4), "float32"), np.ones((8, 1), "float32")
strategy = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Input((4,)), tf.keras.layers.Dense(1, kernel_initializer="ones")])
    optimizer = tf.keras.optimizers.SGD(0.1)
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)


def replica(features, target):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(features) - target) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


for features, target in strategy.experimental_distribute_dataset(data):
    strategy.run(replica, args=(features, target))
print("result:", float(model.trainable_variables[0][0][0]), flush=True)
