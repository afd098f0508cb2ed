import numpy as np
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()

data = tf.data.TFRecordDataset(["tides.tfrecord"]).map(lambda record: record).batch(64)

with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Input((16,)), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
model.fit(data, epochs=3)
