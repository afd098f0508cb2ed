import keras
import numpy as np
from keras.utils import multi_gpu_model

x, y = np.zeros((320, 16)), np.zeros((320, 1))
model = multi_gpu_model(keras.Sequential([keras.layers.Dense(1)]), gpus=4)
model.compile("adam", "mse")
model.fit(x, y, batch_size=32)
model.layers[-2].save("tide.h5")
