import deepspeed

print(deepspeed.__version__)
