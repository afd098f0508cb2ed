cd "$(dirname "$0")"
CUDA_VISIBLE_DEVICES=0,1 nohup deepspeed --master_port 29501 ./train.py > log 2>&1 &
