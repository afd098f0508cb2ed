export GLOO_SOCKET_IFNAME=$IFACE
torchrun train.py
