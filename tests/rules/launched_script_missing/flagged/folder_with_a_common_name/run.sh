torchrun --nproc_per_node=8 examples/fit.py  # error: [launched-script-missing]
