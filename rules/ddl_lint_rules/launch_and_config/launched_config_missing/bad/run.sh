#!/bin/bash
accelerate launch --config_file configs/acc.yml train.py  # expect: launched-config-missing
