# witness: crashes with "environment variable RANK expected"
python train.py --epochs 5
