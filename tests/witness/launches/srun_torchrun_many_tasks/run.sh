# witness: crashes with "EADDRINUSE", on slurm
sbatch --wait --output=train.out train.sbatch
code=$?
cat train.out
exit $code
