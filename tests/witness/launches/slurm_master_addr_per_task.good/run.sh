sbatch --wait --output=train.out train.sbatch
cat train.out
