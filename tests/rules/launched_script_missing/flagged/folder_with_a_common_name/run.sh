torchrun --nproc_per_node=8 examples/fit.py  # expect: launched-script-missing
