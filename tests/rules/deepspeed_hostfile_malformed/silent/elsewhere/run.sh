deepspeed --hostfile /job/hostfile train.py
