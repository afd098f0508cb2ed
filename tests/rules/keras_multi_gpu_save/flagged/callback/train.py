import keras
import numpy as np
from keras.utils import multi_gpu_model

x, y = np.zeros((320, 16)), np.zeros((320, 1))
model = multi_gpu_model(keras.Sequential([keras.layers.Dense(1)]), gpus=4)
model.compile("adam", "mse")
checkpoint = keras.callbacks.ModelCheckpoint("w.{epoch}.h5")  # error: [keras-multi-gpu-save]
model.fit(x, y, batch_size=32, callbacks=[checkpoint])
