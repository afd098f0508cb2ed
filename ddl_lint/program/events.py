"""The words for things that a training program does; `event_types.py` says what each means, and by which roles.

Every framework's calls are described in these words, so that a rule about checkpoints is written once.
"""

from __future__ import annotations

from enum import Enum
from typing import Literal, TypeAlias

EventKind: TypeAlias = Literal[
    "init_process_group", "destroy_process_group", "query_process_group", "check_process_group", "new_group",
    "init_mesh", "slice_mesh", "name_mesh", "init_rpc", "shutdown_rpc", "collective", "point_to_point", "wait",
    "keep_handle", "read_handle", "use_result", "lose_result", "use_missing", "measure", "scale_length",
    "read_left_behind", "close_over", "start_processes", "select_device", "use_all_devices", "place",
    "synchronize_device", "read_environment", "set_environment", "text_as_number", "count_by_devices",
    "parse_options", "declare_option",
    "seed", "permute", "build_dataset", "split_dataset", "process_dataset",
    "build_sampler", "build_loader", "set_epoch", "iterate",
    "next_element", "shard", "unpack", "drop_result", "leave_unread", "missing_attribute", "look_inside", "ask_mode",
    "mix_conditions", "register_forward", "wrap_model", "load_pretrained", "join_uneven", "convert_batchnorm",
    "forward", "recompute", "compute_gradients", "set_gradient", "backward", "accumulate_by_hand",
    "skip_synchronization", "build_optimizer", "set_group", "build_scheduler", "optimizer_step", "scheduler_step",
    "zero_gradients", "compile", "compile_model", "average", "log_metric", "watch_metric", "add_metric_state",
    "change_parameters", "clip_gradients",
    "unscale_gradients", "scale_loss", "store", "cast", "set_trainable", "add_adapters", "use_tensor",
    "register_buffer", "register_parameter", "register_module", "save", "load", "save_sharded", "load_sharded",
    "export", "state_dict", "configure_state_dict", "load_state", "strip_prefix", "write_file",
    "make_directory", "remove_files", "download", "await_file", "start_logger", "log", "print", "delegate", "restart",
    "prepare", "rebind_swapped", "rebind_model", "fit", "limit_steps", "escape", "unfollowed", "communicate",
    "reach", "open_scope", "distribute_data", "configure_runtime", "start_runtime", "build_variables",
    "start_server", "place_variables", "lay_out", "use_per_replica", "describe",
]  # fmt: skip
"""What a program may do. A type, and no enumeration, so that the engine writes the words of the models, and the type
checker finds each that is none."""


class CollectiveWhen(str, Enum):
    """When all ranks of the job must make a call; a call that has none of these need not be made by all."""

    ALWAYS = "always"
    """Whatever it is called on."""

    GROUP_EXISTS = "group_exists"
    """When there is a process group; without one the library takes the process for the only one."""

    HAS_BUFFERS = "has_buffers"
    """When the wrapped model has buffers, which the call broadcasts, or is sharded."""

    SHARDED = "sharded"
    """When what it is called on, or given, holds a part of the state on each rank."""

    WRAPS_MODEL = "wraps_model"
    """When a model is among what it is given: the wrapper compares the parameters of all ranks, or sends them."""

    SYNCHRONIZED = "synchronized"
    """When the gradients of the loss or the optimizer are averaged over the ranks."""

    MULTI_WORKER_STRATEGY = "multi_worker_strategy"
    """When the program trains under a strategy that spans processes."""

    SAVES_METRICS = "saves_metrics"
    """Then, too, but only when what is saved keeps statistics of the batches: they are summed up to be read."""


OF_ALL_RANKS = frozenset({CollectiveWhen.ALWAYS, CollectiveWhen.GROUP_EXISTS})
"""Those that do not depend on what is done before, in a job of several processes."""

NEVER_COLLECTIVE = "never"
"""What a model says of a call that is not collective, although its kind of event usually is."""

USUALLY_COLLECTIVE: frozenset[EventKind] = frozenset(
    {"collective", "init_process_group", "new_group", "init_mesh", "save_sharded", "load_sharded"}
)
"""Kinds of events that all ranks make together unless the model says otherwise."""
