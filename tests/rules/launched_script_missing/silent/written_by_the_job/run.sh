dir=exp/one
torchrun --nproc_per_node=8 train.py --out $dir
python $dir/zero_to_fp32.py
