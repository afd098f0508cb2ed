#!/bin/bash
deepspeed --hostfile hosts.txt train.py  # expect: launched-config-missing
