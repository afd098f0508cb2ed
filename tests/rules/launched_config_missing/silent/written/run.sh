echo "{}" > ds.json
deepspeed train.py --deepspeed_config ds.json
