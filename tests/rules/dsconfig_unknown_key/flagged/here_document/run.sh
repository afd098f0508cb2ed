THRESHOLD=1e5
cat <<EOT > ds_config.json
{
  "train_batch_size": $BATCH,
  "zero_optimization": {
    "stage": 3,
    "stage3_param_persitence_threshold": $THRESHOLD  # error: [dsconfig-unknown-key]
  }
}
EOT
deepspeed train.py --deepspeed --deepspeed_config ds_config.json
