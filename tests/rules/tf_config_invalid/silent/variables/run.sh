export TF_CONFIG="{\"cluster\": $CLUSTER}"
python train.py
