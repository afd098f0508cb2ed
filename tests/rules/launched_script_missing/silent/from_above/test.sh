export PYTHONPATH=$PYTHONPATH:$PWD
python tides/model/train.py
