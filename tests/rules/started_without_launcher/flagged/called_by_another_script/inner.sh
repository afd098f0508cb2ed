#!/bin/bash
python train.py --epochs=2 # expect: started-without-launcher
