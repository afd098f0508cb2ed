ssh host-a "TF_CONFIG='{\"cluster\": {\"worker\": [\"host-a:1\", \"host-b:1\"]}, \"task\": {\"type\": \"worker\", \"index\": 0}}' python train.py" &
ssh host-b "TF_CONFIG='{\"cluster\": {\"worker\": [\"host-a:1\", \"host-b:1\"]}, \"task\": {\"type\": \"worker\", \"index\": 1}}' python train.py"
# another job on other machines
ssh host-c "TF_CONFIG='{\"cluster\": {\"worker\": [\"host-c:1\"]}, \"task\": {\"type\": \"worker\", \"index\": 0}}' python train.py"
# the same once more
ssh host-a "TF_CONFIG='{\"cluster\": {\"worker\": [\"host-a:1\", \"host-b:1\"]}, \"task\": {\"type\": \"worker\", \"index\": 0}}' python train.py" &
