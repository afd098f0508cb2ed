"""The vocabulary of things that a training program does.

Every framework's calls are described in these words, so that a rule about checkpoints is written once.
The roles of an event are the names under which a rule finds the call's operands; the API models
(`ddl_lint/frameworks`) map each framework's parameters to them.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Literal, TypeAlias

EventKind: TypeAlias = Literal[
    "init_process_group", "destroy_process_group", "query_process_group", "check_process_group", "new_group",
    "init_mesh", "slice_mesh", "name_mesh", "init_rpc", "shutdown_rpc", "collective", "point_to_point", "wait",
    "keep_handle", "read_handle", "use_result", "lose_result", "use_missing", "measure", "scale_length",
    "read_left_behind", "close_over", "start_processes", "select_device", "use_all_devices", "place",
    "synchronize_device", "read_environment", "set_environment", "text_as_number", "count_by_devices",
    "parse_options", "declare_option",
    "seed", "permute", "build_dataset", "split_dataset", "build_sampler", "build_loader", "set_epoch", "iterate",
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
"""What a program may do. A type, and no enumeration, so that rules write the words of the models, and the type checker
finds each that is none."""

_GRID = ("tensor_parallel", "sequence_parallel", "context_parallel", "pipeline_parallel", "grid_order")
"""How the job is divided: the size along each dimension, or the option of the script that gives it
(`--tensor-model-parallel-size`), and their order, the one that changes fastest from rank to rank first (`tp-dp-pp`)."""

EVENT_ROLES: Mapping[EventKind, tuple[str, ...]] = MappingProxyType(
    {
        # --- process groups ------------------------------------------------------------------
        "init_process_group": (
            *("backend", "init_method", "rank", "world_size", "store", "device"),
            "timeout",  # a `datetime.timedelta`
            "tolerant",  # does nothing where there is a group already
        ),
        "destroy_process_group": ("group",),
        "query_process_group": ("group",),  # rank, world size, backend: fails without a group
        "check_process_group": (),  # is_initialized, is_available: never fails
        "new_group": ("ranks", "backend", "timeout", "local_synchronization", *_GRID),
        "init_mesh": ("device", "shape", "ranks", "names"),  # `ranks`: the ranks themselves, as rows of the mesh
        "slice_mesh": ("mesh", "names"),  # dimensions of a mesh are asked for by name, or by number
        "name_mesh": ("mesh", "names"),  # dimensions of a mesh get a further name in common
        "open_scope": ("strategy",),  # what is made from here on, or in the context that results, is replicated
        "distribute_data": ("data", "strategy", "function"),  # each replica gets its part of the elements; `function`:
        # makes the data of one process
        "configure_runtime": ("device",),  # devices, memory or threads of a runtime that has not yet begun to work
        "start_runtime": (),  # it begins to work: an operation is carried out, or its devices are asked for
        "start_server": ("cluster", "job", "index"),  # this process answers to the others of a cluster: as which one
        "place_variables": ("servers", "cluster"),  # variables are put on the servers of a cluster: how many, or which
        "lay_out": ("layouts", "pattern", "layout"),  # variables whose paths match a pattern are divided along the axes
        # of a mesh
        "build_variables": ("object",),  # an optimizer makes its state for all parameters at once
        "init_rpc": ("name", "rank", "world_size"),
        "shutdown_rpc": (),
        # --- communication -------------------------------------------------------------------
        "collective": (
            *("operation", "tensor", "output", "root", "group", "reduction", "asynchronous", "device"),
            "repeats",  # the outcome includes samples that fill up the last batch of the data
            *("by_name", "state_of"),  # what is sent is many tensors with their names, or the state of an optimizer
            "backend",  # whose processes they are that meet, where that is not a group of the program
            *("strategy", "axis"),  # of replicas: who drives them, and along which axis their values become one
            "function",  # what each replica runs
        ),
        "point_to_point": ("operation", "tensor", "peer", "group", "tag", "asynchronous", "device"),
        "wait": ("handle",),
        "keep_handle": ("handle", "name"),  # work that is still done is let go of, or kept in a variable under `name`
        "read_handle": ("handle",),  # a variable that holds it is read
        # of what a call does not give, or has not finished, something is computed, or it is only `shown` to a person
        "use_result": ("value", "name", "shown"),
        "use_per_replica": ("value", "operation"),  # of a value that has a component for each replica, something is
        # computed as if it were one
        "use_missing": (
            "present",
            "name",
            "value",
            "none",
        ),  # what a name refers to is used, which only some processes have: where
        # `present` does not hold, the name has no value, or is None (`none`)
        "lose_result": ("argument", "name"),  # a call writes into what no code keeps, or reads: a variable of that name
        # --- processes and devices -----------------------------------------------------------
        "start_processes": ("function", "arguments", "keywords", "processes", "method"),
        "select_device": (
            *("device", "factories"),  # `factories`: new tensors and modules are made there
            "configuration",  # the object that must be given to whoever is to work on this device
        ),
        "use_all_devices": (
            "device",
            "configuration",
            "target",
            "by",
        ),  # work on all GPUs that the process sees begins, or is
        # prepared for one of them; `configuration`: what hides some of them, `target`: the server that does the work,
        # `by`: what opens the session for it
        "place": ("object", "device"),
        "synchronize_device": (),
        "read_environment": ("variable", "default"),
        "set_environment": ("variable", "value", "default"),
        "text_as_number": (
            "text",
            "operation",
        ),  # a number of processes that is still a text is compared with a number,
        # or calculated with
        "count_by_devices": (
            "value",
            "operation",
            "count",
        ),  # a number is multiplied with, or divided by, the number of
        # GPUs that the process sees, or of processes; the result is the product, or the quotient
        "parse_options": ("options",),  # the command line is read, and an option beside these is an error
        "declare_option": (
            "options",
            "default",
            "required",
            "parser",
        ),  # a number of the process, or of processes, may be given
        # in the command line; `options` are its spellings there, `required` whether it has to be
        "seed": ("value", "source"),  # `source`: whose random numbers; those of all libraries where it is not given
        "permute": ("data", "generator", "seed", "source"),  # elements are put into a random order, or some are chosen
        # --- data ----------------------------------------------------------------------------
        "build_dataset": ("dataset", "download"),
        "split_dataset": ("data", "lengths", "generator", "seed", "shuffle", "source"),  # at random
        "build_sampler": ("dataset", "replicas", "rank", "shuffle", "seed", "drop_last"),
        "build_loader": ("dataset", "batch_size", "shuffle", "sampler", "batch_sampler", "drop_last", "generator"),
        "set_epoch": ("sampler", "epoch"),
        "iterate": ("iterable",),
        "next_element": ("iterable", "iterator"),  # one element is taken by hand: `next(iterator)`
        "shard": ("data", "index", "stop", "count"),  # division into shares by hand: `data[index:stop:count]`, or
        # `data` cut into `count` pieces; the result is the share, or the pieces
        "unpack": ("value", "count"),  # a tuple is assigned to so many names; it has another number of elements
        "drop_result": ("value", "read"),  # what a call gives is not kept; `read`: the name of its first argument,
        # where that is read afterwards
        "missing_attribute": ("object", "name", "known"),  # something is asked of a library object that it does not
        # have; of a wrapper, `known` says whether the model inside surely has it
        "ask_mode": ("object",),  # the program asks in what a trainer wraps models
        "look_inside": ("object",),  # the model inside a wrapper is read
        "mix_conditions": ("guarded", "alternative"),  # `a and b or c` is asked, without parentheses, where `a and b`
        # depends on the rank and `c` does not; the result is the whole condition
        # --- models and training -------------------------------------------------------------
        "register_forward": ("model", "method"),  # another method than the forward works on the wrapped model, too
        "wrap_model": (
            *("model", "optimizer", "scheduler", "device_ids", "output_device", "find_unused_parameters"),
            *("static_graph", "group"),
            *("mesh", "plan"),  # `plan`: what is done to which part, by the path of its name
        ),
        "load_pretrained": (  # a model is made with weights that somebody has published
            *("devices", "lean"),  # on which devices; whether it is loaded without a copy in memory
        ),
        "join_uneven": ("models",),
        "convert_batchnorm": ("model",),
        "forward": ("model", "batch_size", "in_step"),  # `in_step`: a generation goes on until all ranks are ready
        "recompute": ("function", "reentrant"),  # a part of a forward that the backward does again, to save memory
        "compute_gradients": ("outputs", "inputs"),  # gradients that no code accumulates, of what and for what
        "set_gradient": ("object", "gradient"),  # a parameter is given its gradient by hand
        "backward": ("loss", "scaled", "by", "engine"),  # `scaled`: the call divides the loss by the number of batches
        # of a step; `by`: the tape or optimizer that computes the gradients and gives them back; `engine`: what runs
        # it, if that is not the loss itself
        "accumulate_by_hand": ("engine",),  # what drives the training is notified where a step ends
        "skip_synchronization": ("model", "optimizer"),
        "build_optimizer": ("parameters", "learning_rate"),
        "set_group": ("optimizer", "key", "value"),  # something in an optimizer's groups of parameters is assigned
        "build_scheduler": ("optimizer", "learning_rate"),  # `learning_rate`: the one that it sets in the end
        # `loss`: the step computes the gradients, too; `closure`: computes them once more; `counter`: counts the steps
        "optimizer_step": ("optimizer", "gradients", "loss", "closure", "counter"),
        "scheduler_step": ("scheduler", "metric"),
        "zero_gradients": ("optimizer",),
        "compile": ("model", "optimizer", "metrics"),  # a model is given the optimizer that it trains with
        "average": ("total", "count"),  # something is divided by the length of a data set
        "log_metric": ("name", "value", "group", "synchronized"),  # `synchronized`: averaged over the ranks
        "watch_metric": ("name",),  # checkpoints are kept, or the training is stopped, by what was logged so
        "change_parameters": ("object", "value"),  # what parameters hold is replaced in place, by hand
        "clip_gradients": ("parameters", "norm", "own"),  # `own`: by the norm of what this process holds
        "unscale_gradients": ("optimizer",),  # the gradients are divided by what the loss was multiplied with
        "scale_loss": ("loss", "scaler"),
        "store": ("object", "name", "value"),  # an attribute of a model is assigned
        "cast": ("object", "dtype"),  # a model's parameters get another type
        "set_trainable": ("object", "trainable"),  # a parameter, or all those of a model, get gradients or none
        "add_metric_state": (
            "metric",
            "name",
            "value",
            "reduction",
        ),  # what a metric keeps, and how that of all ranks is joined
        "compile_model": ("model", "prefix"),  # what it returns writes a prefix of its own into the keys of a state
        "add_adapters": ("model",),  # from here on, gradients go to small modules beside its own parameters only
        "use_tensor": ("tensor",),  # a tensor that a model keeps is combined with others
        "register_buffer": ("module", "name", "tensor"),
        "register_parameter": ("module", "name", "tensor"),
        "register_module": ("module", "name", "child"),
        # --- checkpoints and files -----------------------------------------------------------
        "save": (
            "object",
            "path",
            "chief",
            "configuration",
            "target",
            "weights_only",
            *("hooks", "chief_hooks"),  # what a session that saves calls before and after each run, on the chief only
        ),  # `chief`: whether this process writes;
        # `configuration`: of a session that saves, with the devices that it works on; `target`: the server that it
        # works with; `weights_only`: whether the file holds no layers
        "describe": ("object",),  # the layers of a model are written down as a string
        "load": ("path", "map_location", "target", "by_name"),  # `target`: what gets the content, where the call itself
        # sees to it; `by_name`: only what has the same name is loaded
        "save_sharded": ("object", "path", "tag", "group", "alone", "whole"),  # `alone`: this process communicates
        # with no other; `whole`: the state is gathered into one file
        "load_sharded": ("object", "path", "group", "alone", "planner"),
        "export": (
            *("object", "state", "path"),  # a model is written as its library likes it; `state`: with that content
            *("chief", "by_function"),  # `chief`: whether this process writes; `by_function`: what writes in its place
        ),
        "state_dict": ("of",),
        "configure_state_dict": ("on_cpu",),  # `on_cpu`: the tensors of states that are put together are brought there
        "load_state": ("target", "state", "strict", "assign", "divides"),  # `divides`: each process takes its part
        "strip_prefix": ("state", "prefix"),  # the start of a string is asked for or cut off; a number is its length
        "write_file": ("path", "mode", "object", "source"),  # `source`: the file that is copied or moved
        "make_directory": ("path", "exist_ok"),
        "remove_files": ("path",),
        "download": ("path",),
        "await_file": ("condition",),  # a loop asks again and again whether a file is there
        "measure": ("object",),  # the length of something is asked for: `len(loader)`
        "scale_length": ("object", "operation", "other"),  # and multiplied, or divided, by something
        "close_over": ("function", "value"),  # a function that a schedule is given computes with a variable around it
        "read_left_behind": ("object",),  # a variable still holds what was handed to a trainer, which gave back another
        # thing for it; the program reads that variable
        "leave_unread": ("object",),  # the program gives a loader to a name that no code reads, or to none
        "start_logger": ("mode", "group", "name", "path"),  # a run of a tracker of experiments begins; `mode`: whether
        # it is on, `group`: what ties the runs of several processes together
        "log": ("logger", "value"),  # something is written for people to see later, by a logger that is an object
        "print": ("values", "chief"),  # values that are not the same on all ranks, or whatever a library is asked to
        # show; `chief`: on one process only, whoever calls
        # --- somebody else does it -----------------------------------------------------------
        "delegate": (
            *("model", "accumulates"),  # a trainer or launcher; what it does is in `provides`
            "engine",  # settings of an engine that it uses, the backward of which counts the batches and makes the step
            "on_cpu",  # whether it leaves the GPUs alone
            *("devices", "nodes"),  # how many processes it expects on each node, and how many nodes
            "chief",  # whether the process is the one that does what one does for all
            *_GRID,
        ),
        "restart": ("function",),  # a function is run again, with the state last saved, when the processes change
        "prepare": (
            *("object", "divides"),
            *("named", "accumulates", "reduction", "predivide"),  # of an optimizer: parameters with their names, the
            # number of backwards of a step, how gradients become one, and what they are divided by before that
        ),  # `divides`: loaders give each process its part, even where a sampler does
        "rebind_swapped": (
            "object",
            "other",
        ),  # what several names referred to is handed back to them otherwise: the name
        # of `object` refers to `other` from now on
        "rebind_model": (
            "object",
            "other",
        ),  # a name that referred to `object` is assigned `other`, and one of the two is a
        # wrapper with a model inside
        "fit": (
            *("model", "data"),
            "made_data",  # what a function makes that is handed over as the data
            "callbacks",  # called while it trains, in this order
            "steps",  # of an epoch, or of all
            *("validation_steps", "epochs"),
        ),
        "limit_steps": ("steps", "data"),  # a training that is described elsewhere, or this data, ends after so many
        "escape": ("objects",),  # values handed to code that cannot be seen
        "unfollowed": (),  # a project function that may do something of all this is called, but was not followed
        "communicate": (),  # a call that cannot be seen, and that by its name may be a collective
        "reach": (),  # a statement that somebody asked for is come to
    }
)
"""Event kind -> the roles of its operands."""


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
