srun python train.py
