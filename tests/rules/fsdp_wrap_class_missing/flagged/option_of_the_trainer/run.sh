torchrun --nproc_per_node=4 train.py --output_dir out --fsdp "full_shard auto_wrap" --fsdp_transformer_layer_cls_to_wrap LlamaDecoderLayer  # error: [fsdp-wrap-class-missing]
