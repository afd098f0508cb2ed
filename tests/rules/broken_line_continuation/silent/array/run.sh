torchrun train.py
ARGS=(
  --a 1
  --b 2
)
torchrun train.py "${ARGS[@]}"
