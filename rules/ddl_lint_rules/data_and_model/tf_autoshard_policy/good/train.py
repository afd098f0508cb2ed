import numpy as np
import tensorflow as tf


strategy = tf.distribute.MultiWorkerMirroredStrategy()
options = tf.data.Options()
options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.DATA

data = tf.data.TFRecordDataset(["tides.tfrecord"]).map(lambda record: record).batch(64).with_options(options)

with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Input((16,)), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
model.fit(data, epochs=3)
