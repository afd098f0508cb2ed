#!/bin/bash
deepspeed --hostfile hosts.txt train.py  # error: [launched-config-missing]
