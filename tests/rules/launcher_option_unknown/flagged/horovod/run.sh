horovodrun -np 4 --num-hosts 2 python train.py  # expect: launcher-option-unknown
