horovodrun -np 4 --num-hosts 2 python train.py  # error: [launcher-option-unknown]
