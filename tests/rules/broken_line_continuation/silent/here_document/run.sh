torchrun train.py
cat <<EOF
-x is an option
EOF
