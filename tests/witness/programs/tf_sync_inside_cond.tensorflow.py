# witness: crashes with "merge_call", by itself, on tensorflow
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
    counter = tf.Variable(0, aggregation=tf.VariableAggregation.ONLY_FIRST_REPLICA)
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)


@tf.function
def step(features, target):
    def replica(features, target):
        counter.assign_add(1)
        with tf.GradientTape() as tape:
            loss = tf.nn.compute_average_loss(tf.reduce_mean((model(features) - target) ** 2, axis=1), global_batch_size=8)
        gradients = tape.gradient(loss, model.trainable_variables)
        if counter % 2 == 1:
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))

    strategy.run(replica, args=(features, target))


for features, target in strategy.experimental_distribute_dataset(data):
    step(features, target)
print("result:", float(model.trainable_variables[0][0][0]), flush=True)
