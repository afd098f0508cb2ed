"""What the API models say about a framework: data only.

A model tells what a call, a class or a name of a framework means to a training program. The files that
hold them are YAML (`loader`), the questions that the analysis asks are answered by `index`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from ddl_lint.program.dimensions import DIMENSIONS
from ddl_lint.program.events import CollectiveWhen, EventKind
from ddl_lint.program.job_choices import JobChoice

_EMPTY: Mapping[str, Any] = MappingProxyType({})

ParameterKind: TypeAlias = Literal["positional", "keyword", "var_positional", "var_keyword"]

OBJECT_KINDS: frozenset[str] = frozenset(
    {
        "model",
        "parameter",
        "tensor",
        "optimizer",
        "scheduler",
        "dataset",
        "iterable_dataset",
        "sampler",
        "batch_sampler",
        "loader",
        "iterator",
        "device",
        "group",
        "store",
        "handle",
        "state_dict",
        "generator",
        "generator_state",
        "process",
        "queue",
        "scaler",
        "engine",
        "strategy",
        "trainer",
        "context",
        "path",
        "writer",
        "parser",
        "namespace",
        "registry",
        "mesh",
        "dtype",
        "other",
    }
)
"""What an object is to a training program, whatever framework it comes from."""

FACILITIES: frozenset[str] = frozenset(
    {
        "process_group",  # the default group exists
        "device",  # every process has picked its device
        "sampler",  # data is sharded over the processes
        "set_epoch",  # samplers learn the epoch
        "wrap",  # the model is wrapped
        "unwrap_on_save",  # state is saved without the wrapper's prefix
        "guard_save",  # only one process writes
        "launch",  # the processes are started
        "seed",  # random generators are seeded
        "initial_state",  # all processes start from the state of one of them
        "generation",  # it goes on until each process has found its own end, with a forward for each step
        "gradient_sync",  # gradients are averaged over the processes
        "values_only",  # what it returns does not know how the values were computed: no gradient goes back
        "runtime",  # a runtime works from now on, and cannot be configured any more
        "runtime_settings",  # it is configured, which must come before
        "tpu_connection",  # the process is connected to the hosts of the TPU system
        "tpu_system",  # the TPU system is initialized
        "serving",  # this process answers to the others of its cluster until it is stopped
        "first_tokens",  # workers that wait for each other before each step are let into the first one
    }
)
"""What a call may need, set up, or take care of on behalf of the program."""

TRAITS: Mapping[str, type] = MappingProxyType(
    {
        "wrapper": str,  # ddp, dp, fsdp1, fsdp2, deepspeed, horovod, other
        "state_dict_prefix": str,  # what the wrapper puts before every key of its state dict
        "single_process": bool,  # one process drives several devices (DataParallel)
        "multi_process": bool,  # the strategy, or the trainer, spans processes, which must make its calls together
        "holds_back": bool,  # gradients are accumulated over several batches inside this context
        "replicates": bool,  # a strategy: what is made in its scope has a copy on each of several devices
        "replicates_alone": bool,  # a trainer that copies its model to all devices which it sees as one process
        "configures_collectives": bool,  # a strategy that must be made before the runtime works
        "on_tpu": bool,  # a strategy for TPUs
        "by_servers": bool,  # a strategy whose parameters are kept by processes of their own
        "reduces": bool,  # a loss that makes one number of those of a batch, unless it is asked not to
        "per_replica": bool,  # a value with a component for each replica, of which nothing can be computed
        "waits_for_tokens": bool,  # an optimizer whose workers wait for each other before each step
        "optimizes": bool,  # the wrapper gets what it is to train, or an optimizer for it
        "normalizes": bool,  # an optimizer whose steps do not grow with the gradients
        "slots": bool,  # an optimizer with a state for each parameter
        "meets_in_environment": bool,  # the processes of a group find each other by what a launcher left them
        "to_be_destroyed": bool,  # a group that the program itself destroys before its end
        "default_backend": str,  # the backend of a group that is created without one, on a machine with accelerators
        "binds_device_since": str,  # from this version on, the group is created with the device of the process
        "takes_current_device": bool,  # a wrapper that puts the work of the process on its current device
        "two_precisions": bool,  # settings ask for two kinds of half precision at once
        "finds_unused": bool,  # settings make the wrapper look for parameters without a gradient in each forward
        "recomputes_reentrant": bool,  # parts of the forward are run again in a backward inside the backward
        "tells_mode": str,  # its attributes, between spaces, that tell in what a trainer wraps models
        "for_engine": bool,  # something that a trainer only takes where an engine wraps the model
        "prepared_by_one": str,  # its method that a trainer calls in one process of each node only
        "called_by_all": str,  # its methods that a trainer calls in all processes, as a regular expression
        "alone": bool,  # a trainer: it has been set to run in one process
        "leaves_data": bool,  # a trainer: it does not divide the data among the processes
        "fills_batches": bool,  # a trainer: the last batches are filled up, so that all processes have equally many
        "sets_rate": str,  # a scheduler: the parameter that takes the place of the optimizer's own learning rate
        "steps_as_told": bool,  # a trainer: a call of a prepared scheduler is one step in any job
        "shapes_loss": bool,  # a trainer: its backward scales or divides the loss, or makes the step as well
        "sync_switch": str,  # the attribute of a wrapper by which its forward decides whether gradients are averaged
        "pads_to_longest": bool,  # a function of a loader: batches are as long as their longest sample
        "divides_output": bool,  # a style of tensor parallelism: the output of the layer is the part of this rank
        "tensor_parallel": bool,  # each process has a part of each layer of the model, and gets the same batch
        "spread": bool,  # one process has put the layers of the model on all devices that it sees
        "sharded": bool,  # every process holds a part of the state
        "replaces_parameters": bool,  # the module has other parameters afterwards than before
        "sharded_state": bool,  # the `state_dict` of the module holds this process's part of each tensor
        "flat_shards": bool,  # the parameters are plain tensors with this process's part of them
        "shards_parameters": bool,  # a trainer or plugin: the models that it prepares are sharded
        "flattens_parameters": bool,  # likewise, and those of a layer become one, for which they must be of one type
        "packs_weights": bool,  # a configuration of weights that are kept as bytes, several in one
        "divides_loading": bool,  # likewise, and models that are loaded after it was made are divided while they are
        "shards_optimizer": bool,  # likewise, the optimizers
        "undivided_state": bool,  # the optimizer keeps a state that belongs to no parameter
        "shards_data": bool,  # the sampler or loader gives every rank its own part
        "epoch_seeded": bool,  # repeats its order unless set_epoch is called
        "synchronizes_gradients": bool,
        "parameters": bool,  # the layer has parameters of its own
        "running_stats": bool,  # the layer keeps statistics of the batches that it saw
        "buffers": bool,  # the model has buffers somewhere in it
        "registers_itself": bool,  # a tensor that a module takes as a buffer as soon as it is assigned to it
        "unseen_parts": bool,  # the model is made of layers of which nothing is known
        "transparent": bool,  # the wrapper gives the attributes of the module inside as its own
        "hides_attributes": bool,  # in a job of several processes it has no attributes but those that its model lists
        "expects_error": bool,  # a context in which a test wants a call to fail
        "no_gradients": bool,  # a context in which no gradients are recorded
        "more_options": bool,  # a parser that gets options from elsewhere, too
        "exclusive": bool,  # a context that lets one process in after the other
        "random": bool,  # holds random values
        "iterable": bool,  # a dataset that is only iterated
        "even_batches": bool,  # a strategy that takes only batches which divide evenly among its devices
        "unsavable": bool,  # a wrapper whose files the model inside cannot read
        "shards_stages": bool,  # a plugin that cuts a model into pieces by several degrees
        "reads_files": bool,  # a dataset whose elements are read from files
        "undivided_elements": bool,  # a dataset whose elements are those of all replicas together
        "undivided": bool,  # such a dataset that gives all of it to every rank unless it is set to divide
        "drops_state": bool,  # an optimizer that wraps another starts without the state of that one
        "averages_early": bool,  # an optimizer that averages each gradient in the background, as soon as it is computed
        "averages_metrics": bool,  # the callback averages the metrics of an epoch over the ranks
        "steers_by_metrics": bool,  # the callback stops the training, or changes it, by the metrics of an epoch
        "reads_metrics": bool,  # the callback writes the metrics down, or keeps what they say is best
        "drives_training": bool,  # a wrapper whose backward and step scale, accumulate, average, clip and schedule
        "hides_gradients": bool,  # such a wrapper: the gradients are not those of the parameters, but its own
        "owns_schedule": bool,  # its step is that of the learning rate's schedule, too
        "needs_own_backward": bool,  # a plain backward of the loss fails
        "plain_backward_since": str,  # from this version on, a plain backward is otherwise as good as its own
        "splits_gradients": bool,  # each process keeps its part of the gradients only
        "steps_on_host": bool,  # such a wrapper keeps the optimizer's state off the device, and wants one made for that
        "brings_optimizer": bool,  # its configuration names an optimizer
        "for_host": bool,  # an optimizer whose step is made off the device
        "staged": bool,  # the model is cut into stages, each on processes of its own
        "withholds_state": bool,  # a sharded model that is set not to gather its state when it is to be saved
        "accumulates_by_hand": bool,  # such a wrapper is set to leave the accumulation to the program
        "node_storage": bool,  # such a wrapper writes checkpoints to the disk of each node
        "agrees_on_overflow": bool,  # a scaler whose ranks skip a step together when the gradients of one overflow
        "idle": bool,  # a scaler that is switched off
        "gathers": bool,  # a context in which parameters are whole
        "splits_in_vain": bool,  # a context that shards new parameters, though what trains them does not gather them
        "passes_to_own": str,  # a method that subclasses override, a keyword that it is called with, and since when
        "lacks": str,  # a method that people expect of the class, and that it does not have
        "given_model_by": str,  # the method by which a callback gets its model, which a class of the project may choose
    }
)
"""Constants of a class that rules ask for, and the type of each. One that is true only for some arguments is given as
a `Condition`."""

TENSOR_FACTS: frozenset[str] = frozenset({"random", "from_data"})
"""What may be said of the tensor that a factory makes."""

CONVENTION_NAMES: frozenset[str] = frozenset(
    {
        "rank_global",
        "rank_local",
        "rank_node",
        "rank_group_patterns",  # regular expressions of names of other things called rank: unknown
        "world_size",
        "world_size_local",
        "shards",  # what a class calls its share of the data
        "distributed_flags",
        "main_process_predicates",
        "local_main_process_predicates",
        "main_process_decorators",  # the decorated function runs on rank 0 only
        "ordering_contexts",  # context managers that let one process go first: balanced by contract
        "model_methods",  # only models have these: what they are called on is one, though nothing else is known of it
        "unwrap_helpers",  # give the model inside a wrapper
        "share_patterns",  # regular expressions: who mentions such a name may take one process's share of the data
        "maker_patterns",  # regular expressions of names of functions that make, read or compute something
        "wrapping_patterns",  # regular expressions of names of functions that may give a wrapped model
        "scheduler_patterns",  # regular expressions of names of what sets learning rates while it trains
        "optimizer_maker_patterns",  # regular expressions of names of functions that only read the model they get
        "dividing_patterns",  # regular expressions of names of functions that may divide the data among the ranks
        "own_module_names",  # modules that many projects have themselves
        "setup_patterns",  # regular expressions of names of what may set up a job, those functions included
        "rank_count_patterns",  # regular expressions of names for the number of ranks, or of what it divides
        "node_count_patterns",  # regular expressions of names for the number of nodes
        "repetition_patterns",  # regular expressions of names for making as many of a figure as there are samples
        "figure_patterns",  # regular expressions of names for figures of a whole batch, and of how they are computed
        "drawing_patterns",  # regular expressions of names of functions that draw random numbers
        "barrier_helpers",
        "collective_patterns",  # regular expressions of names of functions that may be collectives
        "step_errors",  # exceptions in which a training step may end on one rank alone
        "evaluation_hook_patterns",  # regular expressions of names of methods that a trainer calls while it evaluates
        "training_patterns",  # regular expressions of names of functions that hold a training loop
        "rank_part_patterns",  # regular expressions of names for what one rank has, or what counts the ranks
        "state_joining_names",  # by these names a metric may join the states of several ranks itself
        "padding_functions",  # functions that make samples as long as the longest of those that they get
        "training_loaders",  # methods that a trainer asks for what it trains on
        "metric_packages",  # packages whose classes are metrics, which care for the other processes themselves
        "small_part_patterns",  # regular expressions of names of what is saved beside a model, and is small
        "calculating_packages",  # packages whose functions ask no other process
        "devices_of_one_process",  # names by which a program chooses itself which devices one process uses, and how
        "visible_devices",  # environment variables that choose and renumber the devices of a process
        "launcher_variables",  # environment variables in which a launcher tells a process who it is
        "cluster_variables",  # environment variables that list the workers of a cluster
        "rendezvous_variables",  # environment variables that say where the processes meet, and who meets
        "telling_methods",  # modelled methods whose last name says enough when nothing is known of the receiver
        "detaching_methods",  # through what they give no gradient goes back
        "uniform_helpers",  # give the same on every rank: reduced or gathered
        "outward_patterns",  # regular expressions of names of calls that one rank makes for all: files, downloads
        "entry_function_patterns",  # regular expressions of names of functions that somebody starts, who knows who
        "entry_parameter_patterns",  # regular expressions of names of what such a function asks for: options
        "starting_attributes",  # through such an attribute of a function, a library calls it in another process
        "outward_statement_patterns",  # likewise, where the value of the call is dropped: printing, logging, tracking
    }
)
"""What the lists of names in a conventions file may be about. Names are whole words unless said otherwise;
patterns are searched for whatever the case."""

TENSOR_NAMES: frozenset[str] = frozenset(
    {
        "facts",  # attributes that tell something about a tensor: they give no tensor
        "fact_methods",  # likewise, methods
        "value_methods",  # those of them that read what the tensor holds
        "storage_methods",  # methods and functions that read nothing of what a tensor holds
        "plain_methods",  # methods whose result depends on what the tensor depends on, and on nothing else
        "copy_methods",  # methods and functions whose result has a storage of its own
        "conversion_methods",  # methods that give the tensor itself, or one of another form, type or place
        "factories",  # functions that make a tensor of what they are given
        "selection_methods",  # methods and functions that yield the elements that pass a test: how many is unknown
        "test_methods",  # methods and functions that answer yes or no
        "calculating_methods",  # methods that calculate with what the tensor holds
        "scaling_methods",  # methods and functions that divide or multiply; so do others whose names start like theirs
        "parameters",  # what layers of libraries call their parameters
    }
)
"""What the lists of names in the section `tensors` may be about: whole words, whatever they are called on."""

IDIOMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "rank": (),  # expression: the number of this process
        "world_size": (),  # expression: the number of processes
        "local_rank": (),  # expression: the number of this process on its node, also before the group exists
        "local_rank_of": ("variable",),  # expression: the same, from the variable of another launcher
        "local_rank_or": ("fallback",),  # expression: the same, or another number where no launcher says it
        "launched_rank": (),  # expression: the number of this process, before the group exists
        "launched_rank_or": ("fallback",),  # expression: the same, or another number where no launcher says it
        "launched_world_size": (),  # expression: the number of processes, before the group exists
        "launched_world_size_or": ("fallback",),  # expression: the same, or another number where no launcher says it
        "create_group": (),  # statement: creates the default process group, whatever the device
        "end_group": (),  # statement: the default process group exists no more
        "end_group_if_any": (),  # statement: the same, where there may be none
        "meet_here": (),  # statements: where no code says it, the processes of this machine meet on it
        "select_device": ("index",),  # statement: this process works on that GPU from now on
        "select_device_if_any": ("index",),  # statement: the same, where the machine has GPUs
        "device_of_index": ("index",),  # expression: the GPU of that index
        "time_span": ("seconds",),  # expression: a time span
        "wait_for_all": (),  # statement: no process goes on before all are here
        "share": ("name",),  # statements: the variable of all processes becomes what it is on rank 0
        "first_decides": ("test",),  # statements, and as the last line an expression: what the test is on rank 0
        "agree_any": ("test",),  # the same: whether it holds on any process
        "agree_all": ("test",),  # the same: whether it holds on all processes
        "agree_any_beside": ("test", "tensor"),  # the same, asked on the device of a tensor, which is cheaper
        "agree_all_beside": ("test", "tensor"),
        "data_group": (),  # expression: the group of the processes that hold the same part of the model
        "data_size": (),  # expression: how many these are
        "save_model": ("trainer", "model", "path"),  # expression: a trainer saves what it has made of a model
        "save_optimizer": ("trainer", "optimizer", "path"),
        "has_group": (),  # expression: whether there is a group of processes
        "reduce_for_all": (),  # expression: the function that reduces for all processes, else called like that for one
        "exchange": ("sent", "receiver", "received", "sender"),  # statements: send and receive at the same time
        "sampler": ("dataset",),  # expression: a sampler that gives each process its share of a data set, shuffled
        "sampler_shuffling": ("dataset", "shuffle"),  # expression: the same, given whether to shuffle
        "whole_state": ("model",),  # expression: the state of a sharded model, whole; all processes must ask for it
        "load_whole_state": ("model", "state"),  # expression: gives a sharded model such a state
        "state_of": ("model",),  # expression: the state of a model
        "named_parameters": ("model",),  # expression: the parameters of a model with their names
        "prefixed_parameters": ("model", "prefix"),  # expression: the same, with something before each name
        "load_to_train": (),  # expression: the function that loads a model whose optimizer averages gradients
        "average_gradients": ("optimizer",),  # expression: an optimizer that averages its gradients over the ranks
        "average_gradients_of": ("optimizer", "model"),  # expression: the same, given the names of the parameters
        "broadcast_weights": ("model",),  # statement: all ranks have the weights of rank 0 from now on
        "broadcast_optimizer": ("optimizer",),  # statement: the same, of what an optimizer has noted
        "broadcast_at_start": (),  # expression: a callback that does so when the training begins
        "prepare_model": ("model",),  # expression: a model that the workers train together
        "prepare_loader": ("loader",),  # expression: a loader that gives each worker its share of the data
        "if_sharding": ("config",),  # argument, by name: only where a configuration divides parameters among the ranks
        "gather": ("parameters",),  # expression: a context in which parameters are whole, and rank 0 may change them
        "clip_in_config": (),  # expression, a text: the entry of a configuration that clips gradients by their norm
        "device_of": (
            "trainer",
        ),  # expression: the device that a trainer, or a module that it trains, has in this process
        "unwrapped": ("trainer", "model"),  # expression: the model inside what a trainer has made of it, if anything
        "without_reentrance": (),  # argument, by name: parts that are recomputed enter autograd only once
        "average_metrics": (),  # expression: what averages the metrics of a training for the callbacks after it
        "average_tape": ("tape",),  # statement: a tape averages its gradients over the ranks from now on
        "divide_in_place": ("tensor",),  # statement: a sum over all processes becomes the mean
        "modules_in_list": ("items",),  # expression: a list of modules that a module knows, made of a plain one
        "modules_in_dict": ("items",),  # expression: the same of a dict with texts for keys
        "parameters_in_list": ("items",),
        "parameters_in_dict": ("items",),
        "parameter": ("tensor",),  # expression: a tensor as one that a model trains
        "move": ("object", "device"),  # expression: a model on a device
        "seeded_torch": (),  # expression: a generator of random numbers with a seed of its own, for what takes one
        "seeded_numpy": (),  # expression: the same, with the methods of a module of random numbers
        "seeded_python": (),
        "every_nth": ("iterable", "start", "step"),  # expression: those elements of an iterable, and no others
        "scope": ("strategy",),  # expression: a context in which what is made belongs to a strategy
        "distribute": ("strategy", "dataset"),  # expression: a data set that a strategy divides among its replicas
        "average_loss": ("losses", "batch"),  # expression: a replica's part of the mean over a whole batch
        "build_state": ("optimizer", "variables"),  # statement: an optimizer makes its state for some variables
        "start_tpu": ("resolver",),  # statement: the TPU system works from now on
        "as_json": ("data",),  # expression: data as the text of a configuration
        "keep_serving": ("server",),  # statement: this process answers to others until it is stopped
        "address_of": ("server",),  # expression: where a server is found
        "first_tokens": ("optimizer", "chief"),  # expression: what lets workers that wait for each other begin
        "is_first": (),  # expression: whether this is process number 0, or the only one of a run without a group
    }
)
"""What a framework's model may say how to write, each with the holes of the code; fixes are made of them."""

SETTER = ".setter"
"""After the name of an attribute: the method that runs when it is assigned, as Python's properties have it."""

SET_ITEM = "__setitem__"
"""The method that runs when an element of a thing is assigned: `layout_map[key] = layout`."""

CALLED = "called"
"""Among the arguments of a call that calls a function: what that function returns."""

HOME = "home"
"""The hole that every idiom may have: the module of the call at hand, in frameworks that have one for each backend."""

RETURN_KINDS: frozenset[str] = frozenset(
    {
        "self",
        "argument",
        "first_argument",
        "arguments",
        "module_of",
        "rank",
        "rank_is",
        "world_size",
        "main_process",
        "guarded",
        "per_rank",
        "device_count",
        "text",
        "encoded",
        "decoded",
        "merged",
        "composed",
        "registered",
        "entry",
        "built",
        "located",
        "overridden",
        "constant",
        "flag",
        "instance",
        "environment",
        "tuple",
        "table",
        "list_of",
        "iterator_of",
        "element_of",
        "inside",
        "range",
        "settings",
        "derived",
        "mean",
        "sum",
        "regrouped",
        "asks",
        "exists",
        "uniform",
        "local",
        "unknown",
    }
)
"""The words of a returns-expression; see `Returns`."""

RETURN_WORDS: tuple[str, ...] = ("self", "unknown", "device_count", "first_argument", "arguments", "uniform")
"""Those that need no value and may be alone."""

RETURN_CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "rank": ("global", "local", "node", "group", *DIMENSIONS),
        "world_size": ("global", "local", "group", *DIMENSIONS),
        "main_process": ("global", "local", "last", "first_stage", "last_stage"),
        "flag": ("distributed", "cuda", "notebook", "chief"),
        "local": ("time", "random", "unique", "process", "host", "data", "rank"),
    }
)
"""Those whose value is a word, with the words."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a modelled call, without the `self` of a method.

    `default` is the literal default and means nothing where `required` is true. A `positional` parameter
    may be given by name, too.
    """

    name: str
    default: object = None
    required: bool = True
    kind: ParameterKind = "positional"


@dataclass(frozen=True, slots=True)
class Returns:
    """What a call gives, as a tree. `kind` is one of `RETURN_KINDS`; `value` depends on it:

    ================  =============================================================================
    kind              value
    ================  =============================================================================
    self              None: the object that the method was called on
    argument          name of the parameter whose value is given back; where that is None, it is
                      `attributes["otherwise"]`
    first_argument    None: the first argument, however it was passed
    arguments         None: what was passed by position; one value alone, several as a tuple; with
                      `attributes["models"]`, each model is inside an instance of that class
    module_of         name of the parameter whose value is returned without its wrappers
    rank              scope: global, local, node, group, or a dimension of parallelism (tensor, pipeline, ...); a call
                      that is given a process group (role `group`) asks for the rank in that group, whatever is set here
    rank_is           name of the parameter with a number: true on the process of that rank alone; of another scope
                      with `attributes["scope"]`; `attributes["default"]` is the number when it is not given
    world_size        scope: global, local, group or a dimension; the same holds for a group
    main_process      scope: global, local or last; true on the process of rank 0 (of local rank 0, of the last rank)
                      alone; first_stage or last_stage: on those of the first (last) stage of a pipeline
    guarded           `Returns` of a condition: a function that does nothing where it does not hold. The function is
                      `attributes["function"]`; where that is not given, the result is a decorator that makes one
    per_rank          two `Returns`: on the process of rank 0, and on all others; a flag under which this holds is
                      `attributes["if"]`, without it all processes have the second
    device_count      None
    text              `Returns`: the text of that
    encoded           `Returns`: that as JSON
    decoded           name of the parameter that holds JSON, YAML or TOML, or the file with it
    merged            name of a `*args` parameter: one dict of settings, in which the later count
    composed          names of two parameters, a folder and a name: a decorator that gives its function the
                      configuration which Hydra makes of the files there
    registered        names of two parameters, what a registry keeps and its name; where nothing is given, a
                      decorator that does so
    entry             name of the parameter with the name of what a registry has
    built             name of the parameter with settings: what is made of the class that they name under
                      `attributes["key"]`, by its path or in a registry: that is the object, or the parameter
                      `attributes["registry"]`
    located           name of the parameter with the dotted path of a class or function
    overridden        name of the parameter with a file of settings, or with a list: the object has them from then on
    constant          the literal
    flag              name of a mode of the run: distributed, cuda, notebook, chief (the job calls its first worker so)
    instance          name of a modelled class (canonical), or one of `OBJECT_KINDS`;
                      what is known of its attributes is in `attributes`
    environment       name of the parameter that holds the variable's name; a default, where there is
                      one, is `attributes["default"]`
    tuple             tuple of `Returns`
    table             None: a dict; the values of known keys are `attributes`
    list_of           `Returns` of an element
    iterator_of       the same, of what can only be iterated over
    element_of        name of the parameter of which an element is given back
    inside            a parameter and keys, with dots: what the keys lead to in the data that it holds
    derived           names of the parameters from which an unknown value is computed
    asks              the same; the answer is yes or no
    settings          what the parser was made with under this name: classes whose fields the user sets; with
                      `attributes["file"]`, a parameter, in that file, with `attributes["option"]` in the one that
                      an option names
    mean, sum         list of parameters: over all elements of the first; `derived` where one of the others, such as
                      an axis, is given
    regrouped         name of a parameter: what is in it, through tuples, is inside an instance of the class
                      `attributes["as"]`
    exists            the same; the answer is whether a file is there
    uniform           None: unknown, but equal on all ranks
    local             time, random, unique, data or rank: unknown, and different from process to process for this reason
    unknown           None
    ================  =============================================================================
    """

    kind: str
    value: Any = None
    attributes: Mapping[str, Returns] = field(default_factory=lambda: _EMPTY)


@dataclass(frozen=True, slots=True)
class Starts:
    """The call runs a function that it was given, in processes of its own or in this one.

    `function`, `arguments` (a sequence) and `keywords` (a mapping) name parameters of the call; `arguments`
    may name a `*args` parameter and `keywords` a `**kwargs` parameter. `leading` are the values that are
    put before the arguments. With `here`, the function runs in the calling process, as if it were called there; then
    `otherwise` is the name of the one in the calling module that runs where none is given, or `*` for any of them.

    Where `function` is `self`, it is one of the functions that were registered with the object; where it is a dict or
    list, one of those in it, and with `members`, where it is a class or an object, one of its methods. With `options`,
    what is not passed comes from the command line. With `main`, it runs only in the file that somebody starts, not in
    one that is imported; with `meeting`, only if ranks may meet in it: what else is run so is a helper.
    """

    function: str
    arguments: str | None = None
    keywords: str | None = None
    leading: tuple[Returns, ...] = ()
    here: bool = False
    otherwise: str | None = None
    options: bool = False
    members: bool = False
    main: bool = False
    meeting: bool = False


@dataclass(frozen=True, slots=True)
class Registers:
    """The call is a decorator of functions, or makes one: what it decorates is registered with the object of the
    method, which may run it later. With `instance`, the function becomes an instance of that class, with which it is
    registered, too."""

    instance: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """One question about an argument of a call.

    `path` leads from the argument to what is asked about: keys of a dict, or arguments that an object was made with.
    Is that the literal `value` (a name of a library means itself: `NO_SHARD`)? With `trait`: is it an object with
    that trait? With `given`: is it anything but nothing? With `above`: is it a larger number, or does it have more
    elements?
    """

    parameter: str
    path: tuple[str, ...] = ()
    value: Any = None
    trait: str | None = None
    given: bool = False
    above: int | None = None


@dataclass(frozen=True, slots=True)
class Condition:
    """What the arguments of a call must be: the answer to one question of `when` is yes, if there are any, and to
    none of `unless`."""

    when: tuple[Question, ...] = ()
    unless: tuple[Question, ...] = ()
    jobs: frozenset[JobChoice] = frozenset()
    """What is so in jobs with one of these choices of an engine as well, but for `unless`."""


@dataclass(frozen=True, slots=True)
class Ineffective:
    """Beside which other packages a call does nothing, without an error."""

    since: Mapping[str, str]
    """Package -> the first version with which it is so."""

    unless_imported: tuple[str, ...] = ()
    """Packages that the program uses in their place."""

    unless_set: tuple[str, ...] = ()
    """Environment variables that bring back the old behaviour."""


@dataclass(frozen=True, slots=True)
class FunctionModel:
    """What a call means.

    Names of parameters in `roles`, `requires_unless`, `uniform`, `mutates`, `calls`, `starts` and `returns`
    are names of `parameters`, or `self` in a method.
    """

    name: str
    """Canonical dotted name; a method's is that of its class, a dot, and its own."""

    parameters: tuple[Parameter, ...] | None = None
    """None where the signature is not fixed: then only keyword arguments can be distinguished."""

    event: EventKind | None = None
    """A kind of `ddl_lint.program.events`."""

    roles: Mapping[str, str] = field(default_factory=lambda: _EMPTY)
    """Role of the event -> parameter. Complete: equal names have been filled in."""

    constants: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
    """Role of the event -> value that the call itself fixes; where the role has a parameter too, the value that holds
    when it is not given."""

    requires: frozenset[str] = frozenset()
    """Facilities without which the call fails."""

    requires_unless: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _EMPTY)
    """Facility of `requires` -> parameters; it is not needed when all of these are given."""

    provides: frozenset[str] = frozenset()
    """Facilities that exist, or are taken care of, after the call."""

    returns: Returns | None = None
    """None means unknown, computed from all the arguments."""

    starts: Starts | None = None
    registers: Registers | None = None

    calls: str | None = None
    """Parameter that the call may invoke, in this process, with arguments that we do not know."""

    calls_with: tuple[Returns, ...] = ()
    """Those that we do know, which come first."""

    calls_if: str = ""
    """The parameter on which it depends whether the function is called; empty where it always is."""

    interrupts: str | None = None
    """Parameter whose function runs later, at a moment that is another one in each process: a handler of a signal."""

    uniform: tuple[str, ...] = ()
    """Parameters whose content is equal on all ranks afterwards."""

    mutates: tuple[str, ...] = ()
    """Parameters that are changed in place."""

    collective_when: CollectiveWhen | None = None
    """When all ranks must make the call; None means never."""

    collective_if: Condition | None = None
    """What else must hold for that."""

    collective_since: Mapping[str, str] = field(default_factory=lambda: _EMPTY)
    """Package, by each of its names -> the version from which on all ranks must make the call; before it, none need."""

    documents: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _EMPTY)
    """Parameter that holds data, or the path of a JSON file with it -> where it may be given, in order: parameters, or
    attributes of parameters (`args.config`). The first one that is given is used as the parameter."""

    tensor: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
    """Facts about the tensor that a factory makes: `random`, `from_data`."""

    traits: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
    """Traits of what the function makes, where it is not a class that does so (`fully_shard`, `resnet18`)."""

    ineffective: Ineffective | None = None
    since: str | None = None
    deprecated: str | None = None
    removed: str | None = None


@dataclass(frozen=True, slots=True)
class Hooks:
    """Methods that a trainer calls on all processes, and what it passes first."""

    pattern: str
    """A regular expression that the whole name of such a method matches."""

    arguments: tuple[Returns, ...] = ()


@dataclass(frozen=True, slots=True)
class ClassModel:
    """What a class means. `kind`, `traits` and the constructor's event are already inherited from `bases`;
    methods, attributes and `call` are looked up through `bases` by `ApiIndex`.
    """

    name: str
    constructor: FunctionModel
    bases: tuple[str, ...] = ()
    """Canonical names."""

    kind: str = "other"
    attributes: Mapping[str, Returns] = field(default_factory=lambda: _EMPTY)
    traits: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)

    call: FunctionModel | None = None
    """What calling an instance does."""

    methods: Mapping[str, FunctionModel] = field(default_factory=lambda: _EMPTY)
    """By name. `__set__name` is what the assignment of the attribute `name` does, in a class of kind `namespace`."""
    """Name -> method. `x.setter` is what assigning the attribute `x` does; its parameter is the value."""

    hooks: Hooks | None = None
    """Those of its methods that project classes override for somebody else to call; looked up through `bases`, too."""


@dataclass(frozen=True, slots=True)
class ConstantModel:
    """A name that is a value and nothing more (`torch.float16`)."""

    name: str
    kind: str = "other"
    value: Any = None


DEVICE_KINDS: tuple[str, ...] = ("cpu", "gpu")
"""Where the tensors are that a backend exchanges."""


BACKEND_HOLES: tuple[str, ...] = ("rank", "operation", "milliseconds", "seconds")
"""What may be in braces in the messages of a backend: the number of the rank that prints it, what it waits in (a
name of `Backend.operations`), and how long."""


@dataclass(frozen=True, slots=True)
class Backend:
    """What carries the messages of a process group (`nccl`, `gloo`)."""

    devices: tuple[str, ...] = DEVICE_KINDS
    """Where the tensors may be that it exchanges: some of `DEVICE_KINDS`."""

    matches_tags: bool = False
    """A message is received only under the tag with which it was sent."""

    assigns_ranks: bool = False
    """It counts its processes itself: rank and world size need not be given."""

    carries: tuple[str, ...] = ()
    """The frameworks whose calls it carries; of several backends, the first one where the program names none."""

    waiting: str = ""
    """What it prints on a rank that waits forever for others, with `{holes}` of `BACKEND_HOLES`."""

    joining: str = ""
    """What it prints where some ranks never join the process group."""

    patience: int = 0
    """Seconds after which it does so, unless the program says otherwise; 0 where it depends on more."""

    operations: Mapping[str, str] = field(default_factory=lambda: _EMPTY)
    """What a call is there called in a message: `all_reduce` -> `ALLREDUCE`."""


ApiModel: TypeAlias = FunctionModel | ClassModel | ConstantModel


@dataclass(frozen=True, slots=True)
class Conventions:
    """What names usually mean. Used only where the project does not show the definition."""

    environment: Mapping[str, Returns] = field(default_factory=lambda: _EMPTY)
    """Environment variable -> meaning."""

    names: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _EMPTY)
    """Meaning -> whole names (`rank_global`, `distributed_flags`, ...)."""

    helpers: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _EMPTY)
    """Facility -> regular expressions of function names that may take care of it; searched for in the last part
    of the name, whatever its case."""


@dataclass(frozen=True, slots=True)
class FrameworkModels:
    """Everything that one file says."""

    framework: str
    title: str
    packages: tuple[str, ...] = ()
    """Top-level import names."""

    models: Mapping[str, ApiModel] = field(default_factory=lambda: _EMPTY)
    """Canonical name -> model."""

    also: Mapping[str, str] = field(default_factory=lambda: _EMPTY)
    """Other import path -> canonical name."""

    modules: Mapping[str, str] = field(default_factory=lambda: _EMPTY)
    """Module that re-exports -> module under whose name the models are kept."""

    families: Mapping[str, str] = field(default_factory=lambda: _EMPTY)
    """Pattern of whole names -> the canonical name of what represents all of them."""

    conventions: Conventions = field(default_factory=Conventions)
    backends: Mapping[str, Backend] = field(default_factory=lambda: _EMPTY)
    """Name, in lower case -> what it can do."""

    tensors: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _EMPTY)
    """Word of `TENSOR_NAMES` -> names."""

    idioms: Mapping[str, str] = field(default_factory=lambda: _EMPTY)
    """Word of `IDIOMS` -> code with full names and `{holes}`."""

    idioms_like: str = ""
    """The framework whose idioms hold where this one has none of its own."""

    spellings: Mapping[str, str] = field(default_factory=lambda: _EMPTY)
    """Module, class or function -> the name under which code usually imports it. A module with its full name is there
    only when it is imported itself."""

    own_group: bool = False
    """Its processes form a group of their own: no other framework's creation of a group makes it, and the other way
    round."""
