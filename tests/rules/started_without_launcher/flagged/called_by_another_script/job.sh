#!/bin/bash
bash inner.sh
