mpirun -np 4 -genv NCCL_DEBUG=INFO python train.py
