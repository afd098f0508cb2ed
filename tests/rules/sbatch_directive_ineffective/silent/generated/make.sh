cat <<EOF > job.sh
#SBATCH --nodes=$N
EOF
