mpirun -np 4 -mca btl_tcp_if_include eth1 -mca btl_tcp_if_exclude lo python train.py  # error: [openmpi-interface-selection]
