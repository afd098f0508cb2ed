#!/bin/bash
python train.py --epochs=2 # error: [started-without-launcher]
