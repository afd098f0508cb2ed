accelerate launch --use_fsdp --num_processes 4 --fsdp_auto_wrap_policy TRANSFORMER_BASED_WRAP --fsdp_transformer_layer_cls_to_wrap LlamaDecoderLayer embed.py  # error: [fsdp-wrap-class-missing]
