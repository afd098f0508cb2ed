torchrun $SCRIPT --nproc_per_node=8
