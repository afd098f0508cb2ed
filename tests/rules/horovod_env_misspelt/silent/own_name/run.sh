export HOROVOD_EXPERIMENT_OUTPUT_FOLDER=/tmp
horovodrun -np 2 python train.py
