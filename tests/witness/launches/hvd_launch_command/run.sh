# witness: crashes with "required: -np", on horovodrun
horovodrun python train.py
