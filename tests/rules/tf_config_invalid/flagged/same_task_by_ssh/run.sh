ssh host-a "cd job && TF_CONFIG='{\"cluster\": {\"worker\": [\"host-a:1\", \"host-b:1\"]}, \"task\": {\"type\": \"worker\", \"index\": 0}}' python train.py" &
ssh -p 22 me@host-b 'export TF_CONFIG={\"cluster\":{\"worker\":[\"host-a:1\",\"host-b:1\"]},\"task\":{\"type\":\"worker\",\"index\":0}}; python train.py'  # error: [tf-config-invalid]
