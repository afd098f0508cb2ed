import keras
import numpy as np
from keras.utils import multi_gpu_model

x, y = np.zeros((320, 16)), np.zeros((320, 1))
parallel = multi_gpu_model(keras.Sequential([keras.layers.Dense(1)]), gpus=4)
parallel.load_weights("tide.h5")
parallel.compile("adam", "mse")
parallel.fit(x, y, batch_size=32)
