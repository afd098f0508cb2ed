#!/bin/bash
horovodrun -np 4 -H node1:2 node2:2 python train.py  # error: [horovodrun-host-list-malformed]
