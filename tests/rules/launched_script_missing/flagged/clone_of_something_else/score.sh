python train.py
python guided-diffusion/evaluations/evaluator.py reference.npz "$1"  # error: [launched-script-missing]
