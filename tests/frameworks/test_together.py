"""Which calls all ranks must make together, as the shipped models say."""

from __future__ import annotations

import pytest

from ddl_lint.frameworks.model import FunctionModel, Returns
from shipped import shipped_index

INDEX = shipped_index()

DDP = "torch.nn.parallel.DistributedDataParallel"
FSDP = "torch.distributed.fsdp.FullyShardedDataParallel"
DCP = "torch.distributed.checkpoint"
ENGINE = "deepspeed.DeepSpeedEngine"
ACCELERATOR = "accelerate.Accelerator"
BOOSTER = "colossalai.booster.Booster"

# A function, a class (its constructor), a method, or what calling an instance does (`Class()`). A row with `never`
# asks that the model says so or says nothing.
CALLS = {
    "torch.distributed.init_process_group": "always",
    "torch.distributed.destroy_process_group": "never",
    "torch.distributed.all_reduce": "always",
    "torch.distributed.all_gather_into_tensor": "always",
    "torch.distributed.reduce_scatter_tensor": "always",
    "torch.distributed.all_gather_object": "always",
    "torch.distributed.gather_object": "always",
    "torch.distributed.scatter_object_list": "always",
    "torch.distributed.broadcast_object_list": "always",
    "torch.distributed.barrier": "always",
    "torch.distributed.monitored_barrier": "always",
    "torch.distributed.new_group": "always",
    "torch.distributed.new_subgroups": "always",
    "torch.distributed.new_subgroups_by_enumeration": "always",
    "torch.distributed.split_group": "always",
    "torch.distributed.shrink_group": "never",
    "torch.distributed.init_device_mesh": "always",
    "torch.distributed.send": "never",
    "torch.distributed.batch_isend_irecv": "never",
    "torch.distributed.get_rank": "never",
    "torch.distributed.nn.functional.all_gather": "always",
    "torch.distributed.nn.functional.reduce_scatter": "always",
    "torch.distributed._functional_collectives.all_reduce": "always",
    "torch.distributed.rpc.rpc_sync": "never",
    "torch.distributed.rpc.shutdown": "never",
    "torch.multiprocessing.spawn": "never",
    DDP: "always",
    f"{DDP}()": "has_buffers",
    f"{DDP}.state_dict": "never",
    f"{DDP}.no_sync": "never",
    f"{DDP}.join": "always",
    "torch.distributed.algorithms.Join": "always",
    "torch.nn.DataParallel": "never",
    "torch.nn.DataParallel()": "never",
    "torch.nn.Module()": "sharded",
    "torch.nn.Module.state_dict": "never",
    "torch.nn.Linear()": "sharded",
    "torch.Tensor.backward": "synchronized",
    "torch.autograd.backward": "synchronized",
    "torch.optim.AdamW.step": "never",
    "torch.distributed.optim.ZeroRedundancyOptimizer.step": "always",
    "torch.distributed.optim.ZeroRedundancyOptimizer.consolidate_state_dict": "always",
    "torch.distributed.optim.ZeroRedundancyOptimizer.state_dict": "never",
    "torch.distributed.fsdp.sharded_grad_scaler.ShardedGradScaler.unscale_": "always",
    FSDP: "always",
    f"{FSDP}()": "sharded",
    f"{FSDP}.state_dict": "sharded",
    f"{FSDP}.load_state_dict": "sharded",
    f"{FSDP}.state_dict_type": "never",
    f"{FSDP}.optim_state_dict": "always",
    f"{FSDP}.full_optim_state_dict": "always",
    f"{FSDP}.summon_full_params": "always",
    f"{FSDP}.clip_grad_norm_": "sharded",
    "torch.distributed.fsdp.fully_shard": "always",
    "torch.distributed.fsdp.FSDPModule()": "always",
    "torch.distributed.fsdp.FSDPModule.state_dict": "never",
    "torch.distributed.fsdp.FSDPModule.unshard": "always",
    "torch.distributed.tensor.DTensor.full_tensor": "always",
    "torch.distributed.tensor.DTensor.redistribute": "always",
    "torch.distributed.tensor.DTensor.to_local": "never",
    "torch.distributed.tensor.distribute_tensor": "always",
    f"{DCP}.save": "always",
    f"{DCP}.async_save": "always",
    f"{DCP}.load": "always",
    f"{DCP}.format_utils.torch_save_to_dcp": "never",
    f"{DCP}.state_dict.get_model_state_dict": "sharded",
    f"{DCP}.state_dict.get_optimizer_state_dict": "sharded",
    f"{DCP}.state_dict.set_model_state_dict": "sharded",
    "torch.distributed.pipelining.ScheduleGPipe.step": "always",
    "deepspeed.initialize": "always",
    "deepspeed.init_distributed": "always",
    "deepspeed.comm.all_reduce": "always",
    "deepspeed.comm.gather": "always",
    "deepspeed.zero.GatheredParameters": "sharded",
    f"{ENGINE}()": "sharded",
    f"{ENGINE}.backward": "always",
    f"{ENGINE}.step": "always",
    f"{ENGINE}.save_checkpoint": "always",
    f"{ENGINE}.load_checkpoint": "never",
    f"{ENGINE}.save_16bit_model": "sharded",
    f"{ENGINE}.save_fp16_model": "sharded",
    "deepspeed.PipelineEngine.train_batch": "always",
    "deepspeed.PipelineEngine.eval_batch": "always",
    "accelerate.utils.gather_object": "always",
    "accelerate.utils.broadcast_object_list": "always",
    "accelerate.PartialState.wait_for_everyone": "always",
    "accelerate.PartialState": "never",
    f"{ACCELERATOR}.prepare": "wraps_model",
    f"{ACCELERATOR}.prepare_data_loader": "never",
    f"{ACCELERATOR}.backward": "synchronized",
    f"{ACCELERATOR}.gather_for_metrics": "always",
    f"{ACCELERATOR}.pad_across_processes": "always",
    f"{ACCELERATOR}.main_process_first": "never",
    f"{ACCELERATOR}.save": "never",
    f"{ACCELERATOR}.save_state": "sharded",
    f"{ACCELERATOR}.load_state": "sharded",
    f"{ACCELERATOR}.save_model": "sharded",
    f"{ACCELERATOR}.get_state_dict": "sharded",
    "lightning.pytorch.Trainer": "never",
    "lightning.pytorch.Trainer.fit": "always",
    "lightning.pytorch.Trainer.test": "always",
    "lightning.pytorch.Trainer.save_checkpoint": "always",
    "lightning.pytorch.LightningModule.all_gather": "always",
    "lightning.pytorch.LightningModule.log": "always",  # with sync_dist=True
    "lightning.pytorch.LightningModule.manual_backward": "synchronized",
    "lightning.pytorch.strategies.DDPStrategy.barrier": "always",
    "lightning.fabric.Fabric.setup": "always",
    "lightning.fabric.Fabric.backward": "synchronized",
    "lightning.fabric.Fabric.save": "always",
    "lightning.fabric.Fabric.load": "always",
    "lightning.fabric.Fabric.rank_zero_first": "never",
    "transformers.Trainer.train": "always",
    "trl.SFTTrainer.evaluate": "always",
    "transformers.Seq2SeqTrainer.predict": "always",
    "transformers.Trainer.save_model": "sharded",
    "transformers.Trainer.save_metrics": "never",
    "transformers.Trainer.push_to_hub": "never",
    "transformers.AutoModelForCausalLM.generate": "sharded",
    "ray.train.report": "always",
    "ray.train.collective.barrier": "always",
    "ray.train.torch.prepare_model": "always",
    "ray.train.torch.prepare_data_loader": "never",
    "ray.train.torch.TorchTrainer.fit": "never",
    "colossalai.cluster.DistCoordinator.block_all": "always",
    "colossalai.cluster.DistCoordinator.priority_execution": "never",
    f"{BOOSTER}.boost": "always",
    f"{BOOSTER}.backward": "synchronized",
    f"{BOOSTER}.save_model": "sharded",
    f"{BOOSTER}.save_optimizer": "sharded",
    f"{BOOSTER}.save_lr_scheduler": "never",
    "composer.Trainer.eval": "always",
    "composer.Trainer.save_checkpoint": "always",
    "composer.utils.dist.barrier": "always",
    "ignite.distributed.auto_model": "always",
    "ignite.distributed.all_reduce": "always",
    "ignite.engine.Engine.run": "never",
    "megatron.training.save_checkpoint": "always",
    "megatron.training.average_losses_across_data_parallel_group": "never",
    "megatron.core.tensor_parallel.broadcast_data": "never",
    "horovod.torch.allreduce": "always",
    "horovod.torch.join": "always",
    "horovod.torch.broadcast_parameters": "always",
    "horovod.torch.broadcast_optimizer_state": "always",
    "horovod.torch.DistributedOptimizer": "never",
    "horovod.torch.WrappedOptimizer.step": "always",
    "horovod.torch.WrappedOptimizer.synchronize": "always",
    "horovod.torch.elastic.TorchState.sync": "always",
    "horovod.tensorflow.broadcast_variables": "always",
    "horovod.tensorflow.WrappedTape.gradient": "always",
    "horovod.tensorflow.WrappedOptimizer.apply_gradients": "always",
    "torch_xla.core.xla_model.rendezvous": "always",
    "torch_xla.core.xla_model.optimizer_step": "always",
    "torch_xla.core.xla_model.mark_step": "never",
    "torch_xla.core.xla_model.save": "never",
    "torch_xla.distributed.xla_multiprocessing.spawn": "never",
    "jax.experimental.multihost_utils.sync_global_devices": "always",
    "torchmetrics.Accuracy.compute": "group_exists",
    "torchmetrics.Accuracy()": "never",
    "fairscale.nn.FullyShardedDataParallel.state_dict": "sharded",
    "detectron2.utils.comm.synchronize": "always",
    "detectron2.engine.launch": "never",
    "speechbrain.utils.distributed.run_on_main": "never",
}

# A function's or a method's result, or an attribute (without parentheses).
RANKS = {
    "torch.distributed.get_rank()": Returns("rank", "global"),
    "torch.distributed.get_node_local_rank()": Returns("rank", "local"),
    "torch.distributed.get_group_rank()": Returns("rank", "group"),
    "torch.distributed.DeviceMesh.get_local_rank()": Returns("rank", "group"),
    "horovod.torch.rank()": Returns("rank", "global"),
    "horovod.tensorflow.keras.local_rank()": Returns("rank", "local"),
    "accelerate.Accelerator.process_index": Returns("rank", "global"),
    "accelerate.Accelerator.is_local_main_process": Returns("main_process", "local"),
    "accelerate.Accelerator.tensor_parallel_rank": Returns("rank", "group"),
    "accelerate.PartialState.is_main_process": Returns("main_process", "global"),
    "lightning.pytorch.Trainer.is_global_zero": Returns("main_process", "global"),
    "lightning.pytorch.strategies.DDPStrategy.is_global_zero": Returns("main_process", "global"),
    "lightning.fabric.Fabric.local_rank": Returns("rank", "local"),
    "transformers.Trainer.is_world_process_zero()": Returns("main_process", "global"),
    "transformers.TrainingArguments.should_save": Returns("main_process", "global"),
    "transformers.TrainingArguments.should_log": Returns("main_process", "local"),
    "transformers.TrainerState.is_world_process_zero": Returns("main_process", "global"),
    "ray.train.TrainContext.get_world_rank()": Returns("rank", "global"),
    "ray.train.TrainContext.get_node_rank()": Returns("rank", "node"),
    "colossalai.cluster.DistCoordinator.is_master()": Returns("main_process", "global"),
    "megatron.core.parallel_state.get_data_parallel_rank()": Returns("rank", "data"),
    "deepspeed.DeepSpeedEngine.get_data_parallel_rank()": Returns("rank", "group"),
    "torch_xla.core.xla_model.get_ordinal()": Returns("rank", "global"),
    "torch_xla.core.xla_model.is_master_ordinal()": Returns("main_process", "local"),
    "jax.process_index()": Returns("rank", "global"),
    "ignite.distributed.get_rank()": Returns("rank", "global"),
    "composer.utils.dist.get_global_rank()": Returns("rank", "global"),
    "smdistributed.dataparallel.torch.distributed.get_local_rank()": Returns("rank", "local"),
}


def model_of(name: str) -> FunctionModel:
    """The model of a call as the tables above name it."""
    if name.endswith("()"):
        class_model = INDEX.class_(name[:-2])
        assert class_model is not None
        call = INDEX.call(class_model)
        assert call is not None
        return call
    class_model = INDEX.class_(name)
    model = INDEX.function(name) if class_model is None else class_model.constructor
    assert model is not None
    return model


@pytest.mark.parametrize(("name", "expected"), CALLS.items())
def test_calls_that_all_ranks_make_together(name: str, expected: str) -> None:
    model = model_of(name)
    assert (model.collective_when or "never") == expected
    assert expected == "never" or model.event is not None, "what has no event is never seen"


@pytest.mark.parametrize(("name", "expected"), RANKS.items())
def test_ranks(name: str, expected: Returns) -> None:
    if name.endswith("()"):
        model = INDEX.function(name[:-2])
        assert model is not None and model.returns == expected
    else:
        owner, _, attribute = name.rpartition(".")
        class_model = INDEX.class_(owner)
        assert class_model is not None and INDEX.attribute(class_model, attribute) == expected


@pytest.mark.parametrize("name", ["get_rank", "all_reduce", "broadcast", "barrier"])
def test_a_group_is_told_from_the_default_one(name: str) -> None:
    model = INDEX.function(f"torch.distributed.{name}")
    assert model is not None
    assert model.roles["group"] == "group"


@pytest.mark.parametrize("name", ["save", "async_save", "load"])
def test_a_checkpoint_may_be_written_alone(name: str) -> None:
    model = INDEX.function(f"{DCP}.{name}")
    assert model is not None
    assert model.roles["alone"] == "no_dist" and model.roles["group"] == "process_group"


def test_wrapped_objects_lead_to_the_calls_that_wait() -> None:
    for wrap, made in (
        ("horovod.torch.DistributedOptimizer", "horovod.torch.WrappedOptimizer"),
        ("horovod.tensorflow.DistributedOptimizer", "horovod.tensorflow.WrappedOptimizer"),
        ("horovod.keras.DistributedOptimizer", "horovod.tensorflow.WrappedOptimizer"),
        ("horovod.tensorflow.DistributedGradientTape", "horovod.tensorflow.WrappedTape"),
        ("ignite.distributed.auto_model", DDP),
        ("ray.train.torch.prepare_model", DDP),
    ):
        model = INDEX.function(wrap)
        assert model is not None and model.returns is not None and model.returns.value == made
