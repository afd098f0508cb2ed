TF_USE_LEGACY_KERAS=1 python train.py
