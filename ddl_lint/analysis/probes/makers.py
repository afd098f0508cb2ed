"""Which probe records which kind of event."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from ddl_lint.analysis.interpreter.machine import Probes
from ddl_lint.analysis.probes import (
    averages,
    device_counts,
    files,
    handles,
    kept_tensors,
    lost_results,
    measuring,
    missing_values,
    mixed_conditions,
    number_texts,
    options,
    parameter_groups,
    replica_values,
    unpacking,
    unwrapping,
)
from ddl_lint.program.events import EventKind

MAKERS: Mapping[EventKind, Callable[[Probes], None]] = {
    "ask_mode": unwrapping.ask_mode,
    "average": averages.average,
    "await_file": files.await_file,
    "count_by_devices": device_counts.count_by_devices,
    "declare_option": options.declare_option,
    "drop_result": lost_results.drop_result,
    "keep_handle": handles.keep_handle,
    "leave_unread": lost_results.leave_unread,
    "look_inside": unwrapping.look_inside,
    "lose_result": lost_results.lose_result,
    "measure": measuring.measure,
    "mix_conditions": mixed_conditions.mix_conditions,
    "parse_options": options.parse_options,
    "read_left_behind": measuring.read_left_behind,
    "close_over": measuring.close_over,
    "read_handle": handles.read_handle,
    "rebind_model": unwrapping.rebind_model,
    "rebind_swapped": unpacking.rebind_swapped,
    "scale_length": measuring.scale_length,
    "set_group": parameter_groups.set_group,
    "text_as_number": number_texts.text_as_number,
    "unpack": unpacking.unpack,
    "use_missing": missing_values.use_missing,
    "use_per_replica": replica_values.use_per_replica,
    "use_tensor": kept_tensors.use_tensor,
}
"""The kinds of events that are recorded only for who asks, each with what adds its probe."""


def probes_for(kinds: Collection[EventKind]) -> Probes:
    """The probes that record these kinds of events; none for a kind that is recorded in any case."""
    probes = Probes()
    for kind, add in MAKERS.items():
        if kind in kinds:
            add(probes)
    return probes
