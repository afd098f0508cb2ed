"""Finds work that is divided among the ranks in shares of different size, where collectives need equal ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    NONE,
    Apply,
    Claim,
    CollectiveWhen,
    Const,
    Context,
    DeviceCount,
    Event,
    Evidence,
    Finding,
    Heap,
    Items,
    Object,
    RunView,
    Setting,
    Severity,
    Value,
    alternatives,
    branches,
    children,
    consuming_loops,
    contents,
    is_absent,
    is_constant,
    is_rank_guarded,
    is_replicated,
    iterates_over,
    launch_evidence,
    match,
    number_under_launch,
    objects,
    parts,
    rank_guards,
    started_processes,
    with_fix,
)
from ddl_lint.rulekit.domain import (
    PROCESSES,
    Count,
    Loader,
    Share,
    bounds_of,
    carries,
    count_of,
    elements,
    integer,
    is_end_of_block,
    known_length,
    quantity,
)
from ddl_lint.rulekit.events import (
    Backward,
    BuildLoader,
    Collective,
    Forward,
    InitProcessGroup,
    JoinUneven,
    OptimizerStep,
    Shard,
    StartProcesses,
)
from ddl_lint_rules.hangs_and_performance.uneven_partition.fix import fix

_USUAL_SIZE = 8
"""What this number divides is taken to be even while the number of ranks is unknown."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per division, or per collective whose literal sizes do not fit."""
    if not run.is_script:
        return
    size = _world_size(run)
    is_found = False
    for event in run.events(Shard):
        finding = _uneven_loop(run, event, size) or _uneven_scatter(run, event) or _uneven_batch(run, event, size)
        if finding is not None:
            is_found = True
            yield finding
    if not is_found:
        yield from _clamped_samplers(run, size)
    for event in run.events(Collective):
        finding = _misfit(event, size)
        if finding is not None:
            yield finding


def _world_size(run: RunView) -> int | None:
    """The number of ranks, where the program or all its launches fix it."""
    given = [event.world_size for event in run.events(InitProcessGroup)]
    given += [event.processes for event in run.events(StartProcesses)]
    sizes = {number for value in given if (number := integer(value)) is not None}
    if sizes:
        return sizes.pop() if len(sizes) == 1 and min(sizes) > 0 else None
    return started_processes(run)


# --- loops over shares ------------------------------------------------------------------------------------------------


def _uneven_loop(run: RunView, shard: Shard, size: int | None) -> Finding | None:
    """A share that drives a loop in which all ranks must take part."""
    reason = _why_uneven(run, shard, size)
    if not reason or _is_evened(run, shard, size) or is_rank_guarded(shard) or _waits_for_all(run):
        return None
    made_loaders = (made for event in run.events(BuildLoader) for made in objects(event.result))
    carriers = [made for made in made_loaders if carries(made, Share(shard), run.heap)]
    taking = {loop for made in carriers for loop in consuming_loops(run, made) if not _counts_by_itself(loop, made)}
    for event in run.events(Backward, OptimizerStep, Collective):
        around = (node for node in event.context.chain() if node.kind == "loop")
        loop = next((node for node in around if node in taking or _goes_over(node, shard, run.heap)), None)
        if loop is None or loop.breaks or not _needs_all(run, event, loop):
            continue
        meeting = "all ranks wait for each other" if event.kind == "collective" else "the gradients are averaged"
        message = f"{reason} unless the data divides evenly; ranks with more steps wait forever"
        loaders = carriers if loop in taking else [made for made in _parts_of(loop) if made.kind == "loader"]
        is_batched = reason == _ONE_MORE and bool(loaders) and all(map(_makes_batches, loaders))
        if is_batched:
            message = f"{reason}; where that begins a batch more, they wait forever"
        finding = Finding(
            message,
            shard.location,
            (
                Evidence("this loop goes over the share", loop.location),
                Evidence(f"{meeting} here in each step", event.location),
            ),
            severity=Severity.WARNING if is_batched else None,
        )
        return with_fix(finding, fix, run, shard)
    return None


def _clamped_samplers(run: RunView, size: int | None) -> Iterator[Finding]:
    """Samplers of the program that give each rank a block of indices, and the last rank what is left."""
    if _waits_for_all(run):
        return
    for build in run.events(BuildLoader):
        for loader in objects(build.result, "loader"):
            for sampler in objects(Loader(loader).sampler, "sampler"):
                end = _clamped_end(sampler, run.heap) if sampler.definition is not None else None
                length = known_length(loader.given.get("dataset", NONE))
                if (
                    end is None
                    or is_rank_guarded(build)
                    or (length is not None and length % (size or _USUAL_SIZE) == 0)
                ):
                    continue
                taking = consuming_loops(run, loader)
                for event in run.events(Backward, OptimizerStep, Collective):
                    around = (node for node in event.context.chain() if node.kind == "loop")
                    loop = next((node for node in around if node in taking or iterates_over(node, loader)), None)
                    if loop is not None and not loop.breaks and _needs_all(run, event, loop):
                        yield Finding(
                            "the last rank gets a shorter share unless the data divides evenly; where that is a batch "
                            "less, the others wait forever",
                            end.location or sampler.location,
                            (
                                Evidence("the sampler gives each rank its share here", sampler.location),
                                Evidence("this loop goes over the share", loop.location),
                            ),
                            severity=Severity.WARNING,
                            unfixable="the sampler is of the program itself",
                        )
                        break


def _clamped_end(sampler: Object, heap: Heap) -> Apply | None:
    """Where the share of a rank, whose size is rounded up, ends with the data: `min(first + share, len(data))`."""
    held = [part for value in heap.attributes(sampler).values() for part in parts(value)]
    starts = [quantity(value) for value in held]
    blocks = [(start, block) for start in starts if (block := start.block_of_rank()) and match.ceil_div(block.value)]
    ends = [each for each in held if isinstance(each, Apply) and match.least_of(each) is not None]
    return next((end for end in ends if any(is_end_of_block(end, *each) for each in blocks)), None)


_ONE_MORE = "some ranks get one element more"


def _parts_of(loop: Context) -> Iterator[Object]:
    return (part for part in parts(loop.value or NONE) if isinstance(part, Object))


def _makes_batches(loader: Object) -> bool:
    """Whether a loader surely makes batches of several elements: one element more is then not always a batch more."""
    size = loader.given.get("batch_size", NONE)
    return size not in (NONE, Const(1))


def _counts_by_itself(loop: Context, loader: Object) -> bool:
    """Whether a loop makes a number of iterations that has nothing to do with the elements that it draws."""
    return loop.value is None or (match.range_of(loop.value) is not None and loader not in parts(loop.value))


def _waits_for_all(run: RunView) -> bool:
    """Whether a rank that is done takes part in what the others still do."""
    return any(is_constant(event.operation, "join") for event in run.events(Collective))


def _why_uneven(run: RunView, shard: Shard, size: int | None) -> str:
    """In which way the shares differ; empty where they may be equal."""
    share = Share(shard)
    if share.is_of_pieces:
        counted = _is_count(run, shard.count, size)
        return "the pieces differ in length" if counted else ""
    if share.is_strided and share.start.is_surely(Count.RANK, Count.LOCAL_RANK) and _is_count(run, shard.count, size):
        return _ONE_MORE
    if share.ends_before_rest and share.block is not None and match.ceil_div(share.block.value) is not None:
        return "the last rank gets a shorter share"
    return "the last rank also gets the remainder" if share.leaves_rest_to_last else ""


def _is_count(run: RunView, value: Value | None, size: int | None) -> bool:
    """Whether a value is the number of ranks: by what it is, or because the group is made of so many."""
    if isinstance(value, DeviceCount) and any(event.world_size == value for event in run.events(InitProcessGroup)):
        return True
    known = size is not None and size > 1 and integer(value) == size
    return known or quantity(value).is_world_size


def _is_evened(run: RunView, shard: Shard, size: int | None) -> bool:
    """Whether the data may have been cut or padded to a multiple of the number of ranks before."""
    data = shard.operands.get("data", NONE)
    if any(
        count_of(part) in PROCESSES or _is_sizing(part)
        for value in (data, *bounds_of(data))
        for part in parts(value, below=_length_of)
    ):
        return True
    if isinstance(data, Object) and any(
        isinstance(part, Object) and "fixed_length" in part.given for part in contents(data, run.heap)
    ):
        return True
    if any(Share(cut).count.scales_with_processes() for cut in run.events(Shard) if cut.result == data):
        return True
    length = known_length(data)
    if length is not None and length % (size or _USUAL_SIZE) == 0:
        return True
    return any(
        (pair := match.modulo(part)) is not None and _may_be_about_data(*pair, size)
        for node in branches(shard.context)
        if node.value is not None
        for part in parts(node.value)
    )


def _length_of(value: Value) -> Iterable[Value]:
    """What the length of a value depends on: of `[f(x) for x in items]`, the items alone."""
    source = match.as_long_as(value)
    return children(value) if source is None else (source,)


def _may_be_about_data(dividend: Value, divisor: Value, size: int | None) -> bool:
    """Whether a remainder may be that of the data over the ranks; a batch size that divides says nothing of them."""
    if isinstance(dividend, Setting) and "batch" in dividend.name:
        return False
    return not isinstance(divisor, Const) or divisor.value == size or isinstance(dividend, Apply)


def _is_sizing(value: Value) -> bool:
    """Whether a value is one by which data is cut or padded."""
    forms = (match.modulo, match.floor_div, match.addition, match.changed, match.elements_of, match.index_of)
    return any(form(value) is not None for form in forms)


def _goes_over(loop: Context, shard: Shard, heap: Heap) -> bool:
    return loop.value is not None and carries(loop.value, Share(shard), heap)


def _needs_all(run: RunView, event: Event, loop: Context) -> bool:
    """Whether each step of the loop needs all ranks: a collective, or a backward of a replicated model."""
    between = [node for node in event.context.chain() if loop in node.chain() and node is not loop]
    undecided = (node for node in between if node.kind == "branch" and not node.assumed)
    if any(node.kind == "handler" for node in between) or any(node.location != event.location for node in undecided):
        return False  # a choice of values that the call itself is made on leaves out no step
    joins = {join.location for join in run.events(JoinUneven)}
    if any(isinstance(node.value, Object) and node.value.location in joins for node in event.context.chain()):
        return False
    if rank_guards(event.context):
        return False
    if event.kind == "collective":
        return is_absent(event, "group")
    if event.kind == "optimizer_step" or event.collective_when is CollectiveWhen.ALWAYS:
        return event.collective_when is CollectiveWhen.ALWAYS
    return any(
        loop in forward.context.chain() and is_replicated(forward.model, run, run.api)
        for forward in run.events(Forward)
    )


# --- literal sizes ----------------------------------------------------------------------------------------------------


def _uneven_scatter(run: RunView, shard: Shard) -> Finding | None:
    """Pieces of literal length that are scattered."""
    length, count = known_length(shard.data), integer(shard.count)
    if length is None or count is None or count < 1:
        return None
    if not Share(shard).is_of_pieces or not isinstance(shard.result, Items) or length % count == 0:
        return None
    for event in run.events(Collective):
        if is_constant(event.operation, "scatter") and shard.result in alternatives(event.operands.get("tensor", NONE)):
            return Finding(
                f"{length} elements cannot be split into {count} equal pieces, which `scatter` needs",
                shard.location,
                (Evidence("the pieces are scattered here", event.location),),
                severity=Severity.ERROR,
                unfixable="only you know whether elements should be dropped or padded",
                consequence="crash",
            )
    return None


def _uneven_batch(run: RunView, shard: Shard, size: int | None) -> Finding | None:
    """A literal batch that is divided by the literal number of ranks, with a remainder."""
    whole, count = (number_under_launch(run, shard.operands.get(role)) for role in ("data", "count"))
    if whole is None or size is None or size < 2 or count != size:
        return None
    remainder = whole % size if whole > size else 0
    for event in run.events(BuildLoader):
        if remainder and event.batch_size == shard.result:
            return Finding(
                f"a batch of {whole} does not divide by {size} ranks; each step uses {whole - remainder}",
                shard.location,
                (
                    Evidence("the loader uses the share as its batch size", event.location),
                    *launch_evidence(run, "the script is launched here"),
                ),
                severity=Severity.INFO,
                unfixable="only you know which batch size is meant",
                consequence="wrong-result",
            )
    return None


def _misfit(event: Collective, size: int | None) -> Finding | None:
    """Input and output of literal sizes, of which one must be the other times the number of ranks."""
    whole, part = next(
        (pair for operation, pair in _WHOLE_AND_PART.items() if is_constant(event.operation, operation)),
        ("", ""),
    )
    large, small = elements(event.operands.get(whole)), elements(event.operands.get(part))
    if large is None or small is None or not small or not is_absent(event, "group"):
        return None
    if large % small == 0 and size in (None, large // small):
        return None
    ranks = f"{size} ranks" if size else "any number of ranks"
    message = Claim(f"{large} elements on one side and {small} on the other do not match {ranks}", "crash")
    sides = [(role, made) for role in (whole, part) for made in objects(event.operands.get(role))]
    evidence = tuple(Evidence(f"{elements(made)} elements", made.location) for _, made in sides)
    reason = "only you know which of the sizes is right"
    return Finding(message, event.location, evidence, severity=Severity.ERROR, unfixable=reason)


_WHOLE_AND_PART = {"reduce_scatter_tensor": ("tensor", "output"), "all_gather_into_tensor": ("output", "tensor")}
"""Operation -> the role of the whole and the role of one rank's part."""
