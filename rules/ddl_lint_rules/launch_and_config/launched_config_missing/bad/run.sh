#!/bin/bash
accelerate launch --config_file configs/acc.yml train.py  # error: [launched-config-missing]
