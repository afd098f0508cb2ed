"""The kinds of events, and by which roles each says what it is about: the words in which every framework is described.

A kind is a class, and its roles are attributes: `event.learning_rate` is the value that the call gives, or None where
it gives none. The API models (`ddl_lint/frameworks`) map each framework's parameters to the roles. They, the
`rule.yaml` of a rule and `ddl-lint events` write a kind in small letters: `build_optimizer` for `BuildOptimizer`. The
role `function` is `given_function` here: `function` is the one in which an event happens.
"""

from __future__ import annotations

from ddl_lint.program.role import Role
from ddl_lint.program.trace import Event


class _OverGrid(Event):
    """How the job is divided: the size along each dimension, or the option of the script that gives it
    (`--tensor-model-parallel-size`).
    """

    tensor_parallel = Role()
    sequence_parallel = Role()
    context_parallel = Role()
    pipeline_parallel = Role()
    grid_order = Role()
    """The order of the dimensions, the one that changes fastest from rank to rank first (`tp-dp-pp`)."""


# --- process groups ---------------------------------------------------------------------------------------------------


class InitProcessGroup(Event):
    """The default process group is created."""

    backend = Role()
    init_method = Role()
    rank = Role()
    world_size = Role()
    store = Role()
    device = Role()
    timeout = Role()
    """A `datetime.timedelta`."""

    tolerant = Role()
    """Whether the call does nothing where there is a group already."""


class DestroyProcessGroup(Event):
    """A process group is destroyed."""

    group = Role()


class QueryProcessGroup(Event):
    """Rank, world size or backend are asked for, which fails without a group."""

    group = Role()


class CheckProcessGroup(Event):
    """The program asks whether there is a group (`is_initialized`, `is_available`), which never fails."""


class NewGroup(_OverGrid):
    """A further process group is created."""

    ranks = Role()
    backend = Role()
    timeout = Role()
    local_synchronization = Role()


class InitMesh(Event):
    """A mesh of devices is created."""

    device = Role()
    shape = Role()
    ranks = Role()
    """The ranks themselves, as rows of the mesh."""

    names = Role()


class SliceMesh(Event):
    """Dimensions of a mesh are asked for by name, or by number."""

    mesh = Role()
    names = Role()


class NameMesh(Event):
    """Dimensions of a mesh get a further name in common."""

    mesh = Role()
    names = Role()


class OpenScope(Event):
    """What is made from here on, or in the context that results, is replicated."""

    strategy = Role()


class DistributeData(Event):
    """Each replica gets its part of the elements."""

    data = Role()
    strategy = Role()
    given_function = Role("function")
    """Makes the data of one process."""


class ConfigureRuntime(Event):
    """Devices, memory or threads of a runtime are configured that has not yet begun to work."""

    device = Role()


class StartRuntime(Event):
    """A runtime begins to work: an operation is carried out, or its devices are asked for."""


class StartServer(Event):
    """This process answers to the others of a cluster."""

    cluster = Role()
    job = Role()
    index = Role()
    """As which one it answers."""


class PlaceVariables(Event):
    """Variables are put on the servers of a cluster."""

    servers = Role()
    cluster = Role()


class LayOut(Event):
    """Variables whose paths match a pattern are divided along the axes of a mesh."""

    layouts = Role()
    pattern = Role()
    layout = Role()


class BuildVariables(Event):
    """An optimizer makes its state for all parameters at once."""

    object = Role()


class InitRpc(Event):
    """The RPC framework is started."""

    name = Role()
    rank = Role()
    world_size = Role()


class ShutdownRpc(Event):
    """The RPC framework is shut down."""


# --- communication ----------------------------------------------------------------------------------------------------


class Collective(Event):
    """All ranks of a group communicate."""

    operation = Role()
    tensor = Role()
    output = Role()
    root = Role()
    group = Role()
    reduction = Role()
    asynchronous = Role()
    device = Role()
    repeats = Role()
    """The outcome includes samples that fill up the last batch of the data."""

    by_name = Role()
    """Many tensors with their names are sent."""

    state_of = Role()
    """The state of an optimizer is sent."""

    backend = Role()
    """Whose processes communicate, where that is not a group of the program."""

    strategy = Role()
    """Drives the replicas."""

    axis = Role()
    """Along which axis the values of the replicas become one."""

    given_function = Role("function")
    """What each replica runs."""


class PointToPoint(Event):
    """A tensor is sent or received."""

    operation = Role()
    tensor = Role()
    peer = Role()
    group = Role()
    tag = Role()
    asynchronous = Role()
    device = Role()


class Wait(Event):
    """The program waits for asynchronous work."""

    handle = Role()


class KeepHandle(Event):
    """Work that is still done is let go of, or kept in a variable."""

    handle = Role()
    name = Role()


class ReadHandle(Event):
    """A variable that holds such work is read."""

    handle = Role()


class UseResult(Event):
    """Something is computed of what a call does not return, or has not finished."""

    value = Role()
    name = Role()
    shown = Role()
    """Whether it is only shown to a person."""


class UsePerReplica(Event):
    """Of a value that has a component for each replica, something is computed as if it were one."""

    value = Role()
    operation = Role()


class UseMissing(Event):
    """What a name refers to is used, which only some processes have."""

    present = Role()
    """Where this does not hold, the name has no value."""

    name = Role()
    value = Role()
    none = Role()
    """Whether the name is None there."""


class LoseResult(Event):
    """A call writes into what no code keeps, or reads."""

    argument = Role()
    name = Role()
    """Of the variable."""


# --- processes and devices --------------------------------------------------------------------------------------------


class StartProcesses(Event):
    """Processes are started."""

    given_function = Role("function")
    arguments = Role()
    keywords = Role()
    processes = Role()
    method = Role()


class SelectDevice(Event):
    """The current device of the process is set."""

    device = Role()
    factories = Role()
    """Whether new tensors and modules are made there."""

    configuration = Role()
    """The object that must be given to whoever is to work on this device."""


class UseAllDevices(Event):
    """Work on all GPUs that the process sees begins, or is prepared for one of them."""

    device = Role()
    configuration = Role()
    """What hides some of them."""

    target = Role()
    """The server that does the work."""

    by = Role()
    """What opens the session for it."""


class Place(Event):
    """An object is moved to a device."""

    object = Role()
    device = Role()


class SynchronizeDevice(Event):
    """The program waits for a device."""


class ReadEnvironment(Event):
    """An environment variable is read."""

    variable = Role()
    default = Role()


class SetEnvironment(Event):
    """An environment variable is set."""

    variable = Role()
    value = Role()
    default = Role()


class TextAsNumber(Event):
    """A number of processes that is still a text is compared with a number, or calculated with."""

    text = Role()
    operation = Role()


class CountByDevices(Event):
    """A number is multiplied with, or divided by, the number of GPUs or of processes; the result is the outcome."""

    value = Role()
    operation = Role()
    count = Role()
    """The number of GPUs that the process sees, or of processes."""


class ParseOptions(Event):
    """The command line is read, and an option beside these is an error."""

    options = Role()


class DeclareOption(Event):
    """A number of the process, or of processes, may be given in the command line."""

    options = Role()
    """Its spellings there."""

    default = Role()
    required = Role()
    """Whether it has to be given."""

    parser = Role()


class Seed(Event):
    """Random numbers are seeded."""

    value = Role()
    source = Role()
    """Whose random numbers; those of all libraries where it is not given."""


class Permute(Event):
    """Elements are put into a random order, or some are chosen."""

    data = Role()
    generator = Role()
    seed = Role()
    source = Role()
    """Whose random numbers."""


# --- data -------------------------------------------------------------------------------------------------------------


class BuildDataset(Event):
    """A data set is made."""

    dataset = Role()
    download = Role()


class ProcessDataset(Event):
    """All samples of a data set are computed anew, at once."""

    data = Role()


class SplitDataset(Event):
    """A data set is split at random."""

    data = Role()
    lengths = Role()
    generator = Role()
    seed = Role()
    shuffle = Role()
    source = Role()
    """Whose random numbers."""


class BuildSampler(Event):
    """A sampler that divides data is made."""

    dataset = Role()
    replicas = Role()
    rank = Role()
    shuffle = Role()
    seed = Role()
    drop_last = Role()


class BuildLoader(Event):
    """A loader of batches is made."""

    dataset = Role()
    batch_size = Role()
    shuffle = Role()
    sampler = Role()
    batch_sampler = Role()
    drop_last = Role()
    generator = Role()


class SetEpoch(Event):
    """A sampler gets the epoch."""

    sampler = Role()
    epoch = Role()


class Iterate(Event):
    """A loop goes over something."""

    iterable = Role()


class NextElement(Event):
    """One element is taken by hand: `next(iterator)`."""

    iterable = Role()
    iterator = Role()


class Shard(Event):
    """Data is divided by hand: `data[index:stop:count]`, or cut into pieces; the result is the share, or the pieces."""

    data = Role()
    index = Role()
    stop = Role()
    count = Role()


class Unpack(Event):
    """A tuple is assigned to a number of names that is not that of its elements."""

    value = Role()
    count = Role()
    """How many names."""


class DropResult(Event):
    """What a call returns is not kept."""

    value = Role()
    read = Role()
    """The name of its first argument, where that is read afterwards."""


class MissingAttribute(Event):
    """Something is asked of a library object that it does not have."""

    object = Role()
    name = Role()
    known = Role()
    """Of a wrapper: whether the model inside surely has it."""


class LookInside(Event):
    """The model inside a wrapper is read."""

    object = Role()


class AskMode(Event):
    """The program asks in what a trainer wraps models."""

    object = Role()


class MixConditions(Event):
    """`a and b or c` is asked, where `a and b` depends on the rank and `c` does not; the result is all of it."""

    guarded = Role()
    alternative = Role()


# --- models and training ----------------------------------------------------------------------------------------------


class RegisterForward(Event):
    """Another method than the forward works on the wrapped model, too."""

    model = Role()
    method = Role()


class WrapModel(Event):
    """A model is wrapped for distributed training."""

    model = Role()
    optimizer = Role()
    scheduler = Role()
    device_ids = Role()
    output_device = Role()
    find_unused_parameters = Role()
    static_graph = Role()
    group = Role()
    mesh = Role()
    plan = Role()
    """What is done to which part, by the path of its name."""

    settings = Role()
    """The configuration of the engine that it makes."""


class LoadPretrained(Event):
    """A model is made with weights that somebody has published."""

    devices = Role()
    """On which devices."""

    lean = Role()
    """Whether it is loaded without a copy in memory."""


class JoinUneven(Event):
    """Ranks with uneven inputs wait for each other."""

    models = Role()


class ConvertBatchnorm(Event):
    """The batch normalisation of a model becomes one over all ranks."""

    model = Role()


class Forward(Event):
    """A model is called."""

    model = Role()
    batch_size = Role()
    in_step = Role()
    """Whether a generation goes on until all ranks are ready."""


class Recompute(Event):
    """A part of a forward is done again in the backward, to save memory."""

    given_function = Role("function")
    reentrant = Role()


class ComputeGradients(Event):
    """Gradients are computed that no code accumulates."""

    outputs = Role()
    """Of what."""

    inputs = Role()
    """For what."""


class SetGradient(Event):
    """A parameter is given its gradient by hand."""

    object = Role()
    gradient = Role()


class Backward(Event):
    """Gradients are computed and accumulated."""

    loss = Role()
    scaled = Role()
    """Whether the call divides the loss by the number of batches of a step."""

    by = Role()
    """The tape or optimizer that computes the gradients and returns them."""

    engine = Role()
    """What runs it, if that is not the loss itself."""


class AccumulateByHand(Event):
    """What drives the training is notified where a step ends."""

    engine = Role()


class SkipSynchronization(Event):
    """Gradients are not averaged in here."""

    model = Role()
    optimizer = Role()


class BuildOptimizer(Event):
    """An optimizer is made."""

    parameters = Role()
    learning_rate = Role()


class SetGroup(Event):
    """Something in an optimizer's groups of parameters is assigned."""

    optimizer = Role()
    key = Role()
    value = Role()


class BuildScheduler(Event):
    """A scheduler of learning rates is made."""

    optimizer = Role()
    learning_rate = Role()
    """The one that it sets in the end."""


class OptimizerStep(Event):
    """An optimizer changes the parameters."""

    optimizer = Role()
    gradients = Role()
    loss = Role()
    """What it computes the gradients of, too."""

    closure = Role()
    """Computes them once more."""

    counter = Role()
    """Counts the steps."""


class SchedulerStep(Event):
    """A scheduler changes the learning rate."""

    scheduler = Role()
    metric = Role()


class ZeroGradients(Event):
    """Gradients are set to zero."""

    optimizer = Role()


class Compile(Event):
    """A model is given the optimizer that it trains with."""

    model = Role()
    optimizer = Role()
    metrics = Role()


class Average(Event):
    """Something is divided by the length of a data set."""

    total = Role()
    count = Role()


class LogMetric(Event):
    """A metric is logged."""

    name = Role()
    value = Role()
    group = Role()
    synchronized = Role()
    """Whether it is averaged over the ranks."""


class WatchMetric(Event):
    """Checkpoints are kept, or the training is stopped, by what was logged."""

    name = Role()


class ChangeParameters(Event):
    """What parameters hold is replaced in place, by hand."""

    object = Role()
    value = Role()


class ClipGradients(Event):
    """Gradients are clipped."""

    parameters = Role()
    norm = Role()
    own = Role()
    """Whether by the norm of what this process holds."""


class UnscaleGradients(Event):
    """The gradients are divided by what the loss was multiplied with."""

    optimizer = Role()


class ScaleLoss(Event):
    """A loss is multiplied, so that small gradients are not lost."""

    loss = Role()
    scaler = Role()


class Store(Event):
    """An attribute of a model is assigned."""

    object = Role()
    name = Role()
    value = Role()


class Cast(Event):
    """A model's parameters get another type."""

    object = Role()
    dtype = Role()


class SetTrainable(Event):
    """A parameter, or all those of a model, get gradients or none."""

    object = Role()
    trainable = Role()


class AddMetricState(Event):
    """A metric gets something that it keeps."""

    metric = Role()
    name = Role()
    value = Role()
    reduction = Role()
    """How what all ranks keep is joined."""


class CompileModel(Event):
    """A model is compiled."""

    model = Role()
    prefix = Role()
    """What the result writes before the keys of a state."""


class AddAdapters(Event):
    """From here on, gradients go only to small modules beside a model's own parameters."""

    model = Role()


class UseTensor(Event):
    """A tensor that a model keeps is combined with others."""

    tensor = Role()


class RegisterBuffer(Event):
    """A module gets a buffer."""

    module = Role()
    name = Role()
    tensor = Role()


class RegisterParameter(Event):
    """A module gets a parameter."""

    module = Role()
    name = Role()
    tensor = Role()


class RegisterModule(Event):
    """A module gets a part."""

    module = Role()
    name = Role()
    child = Role()


# --- checkpoints and files --------------------------------------------------------------------------------------------


class Save(Event):
    """A checkpoint is written."""

    object = Role()
    path = Role()
    chief = Role()
    """Whether this process writes."""

    configuration = Role()
    """Of a session that saves, with the devices that it works on."""

    target = Role()
    """The server that the session works with."""

    weights_only = Role()
    """Whether the file holds no layers."""

    hooks = Role()
    """What a session that saves calls before and after each run."""

    chief_hooks = Role()
    """The same, on the chief only."""


class Describe(Event):
    """The layers of a model are written down as a string."""

    object = Role()


class Load(Event):
    """A checkpoint is read."""

    path = Role()
    map_location = Role()
    target = Role()
    """What gets the content, where the call itself does that."""

    by_name = Role()
    """Whether only what has the same name is loaded."""


class SaveSharded(Event):
    """A checkpoint is written of which each rank holds a part."""

    object = Role()
    path = Role()
    tag = Role()
    group = Role()
    alone = Role()
    """Whether this process communicates with no other."""

    whole = Role()
    """Whether the state is gathered into one file."""


class LoadSharded(Event):
    """A checkpoint is read of which each rank gets a part."""

    object = Role()
    path = Role()
    group = Role()
    alone = Role()
    """Whether this process communicates with no other."""

    planner = Role()


class Export(Event):
    """A model is written as its library likes it."""

    object = Role()
    state = Role()
    """With this content."""

    path = Role()
    chief = Role()
    """Whether this process writes."""

    by_function = Role()
    """What writes in its place."""


class StateDict(Event):
    """The state of a model or optimizer is asked for."""

    of = Role()


class ConfigureStateDict(Event):
    """The form of states is set."""

    on_cpu = Role()
    """Whether the tensors of states that are put together are brought to the CPU."""


class LoadState(Event):
    """A state is loaded into a model or optimizer."""

    target = Role()
    state = Role()
    strict = Role()
    assign = Role()
    divides = Role()
    """Whether each process takes its part."""


class StripPrefix(Event):
    """The start of a string is asked for or cut off."""

    state = Role()
    prefix = Role()
    """The start itself, or a number, its length."""


class WriteFile(Event):
    """A file is written."""

    path = Role()
    mode = Role()
    object = Role()
    source = Role()
    """The file that is copied or moved."""


class MakeDirectory(Event):
    """A directory is created."""

    path = Role()
    exist_ok = Role()


class RemoveFiles(Event):
    """Files are removed."""

    path = Role()


class Download(Event):
    """A file is fetched."""

    path = Role()


class AwaitFile(Event):
    """A loop asks again and again whether a file is there."""

    condition = Role()


class Measure(Event):
    """The length of something is asked for: `len(loader)`."""

    object = Role()


class ScaleLength(Event):
    """A length is multiplied with, or divided by, something."""

    object = Role()
    operation = Role()
    other = Role()


class CloseOver(Event):
    """A function that a schedule is given computes with a variable around it."""

    given_function = Role("function")
    value = Role()


class ReadLeftBehind(Event):
    """The program reads a variable that still holds what a trainer was given, and has returned another thing for."""

    object = Role()


class LeaveUnread(Event):
    """The program assigns a loader to a name that no code reads, or to none."""

    object = Role()


class StartLogger(Event):
    """A run of a tracker of experiments begins."""

    mode = Role()
    """Whether it is on."""

    group = Role()
    """What ties the runs of several processes together."""

    name = Role()
    path = Role()


class Log(Event):
    """Something is written for people to see later, by a logger that is an object."""

    logger = Role()
    value = Role()


class Print(Event):
    """Values are shown that are not the same on all ranks, or whatever a library is asked to show."""

    values = Role()
    chief = Role()
    """On one process only, whoever calls."""


# --- somebody else does it --------------------------------------------------------------------------------------------


class Delegate(_OverGrid):
    """A trainer or launcher is made; what it does is in `provides`."""

    model = Role()
    accumulates = Role()
    engine = Role()
    """Settings of an engine that it uses, the backward of which counts the batches and makes the step."""

    settings = Role()
    """The configuration of the engine that it makes."""

    on_cpu = Role()
    """Whether it leaves the GPUs alone."""

    devices = Role()
    """How many processes it expects on each node."""

    nodes = Role()
    """How many nodes it expects."""

    chief = Role()
    """Whether the process is the one that does what one does for all."""


class Restart(Event):
    """A function is run again, with the state last saved, when the processes change."""

    given_function = Role("function")


class Prepare(Event):
    """A library makes something fit for several processes."""

    object = Role()
    divides = Role()
    """Whether loaders give each process its part, even where a sampler does."""

    named = Role()
    """Of an optimizer: parameters with their names."""

    accumulates = Role()
    """Of an optimizer: the number of backwards of a step."""

    reduction = Role()
    """Of an optimizer: how gradients become one."""

    predivide = Role()
    """Of an optimizer: what gradients are divided by before that."""


class RebindSwapped(Event):
    """What several names referred to is returned to them in another order."""

    object = Role()
    """What a name referred to."""

    other = Role()
    """What it refers to from now on."""


class RebindModel(Event):
    """A name is assigned something else, and one of the two is a wrapper with a model inside."""

    object = Role()
    """What the name referred to."""

    other = Role()
    """What it refers to from now on."""


class Fit(Event):
    """A library trains."""

    model = Role()
    data = Role()
    made_data = Role()
    """What a function makes that is handed over as the data."""

    callbacks = Role()
    """Called while it trains, in this order."""

    steps = Role()
    """Of an epoch, or of all."""

    validation_steps = Role()
    epochs = Role()


class LimitSteps(Event):
    """A training that is described elsewhere, or this data, ends after so many steps."""

    steps = Role()
    data = Role()


class Escape(Event):
    """Values are handed to code that cannot be seen."""

    objects = Role()


class Unfollowed(Event):
    """A project function that may do something of all this is called, but was not followed."""


class Communicate(Event):
    """A call that cannot be seen may be a collective, by its name."""


class Reach(Event):
    """The program comes to a statement that somebody asked for."""
