"""What rules are written against: the one import of a rule.

    from ddl_lint.rulekit import Finding, RunView, match

A `check.py` has a function `check(run: RunView) -> Iterable[Finding]`. It is pure: without state, without I/O. A rule
that must know of other runs has two more: `publish(run)` returns plain facts, and `join(finding, shared)` judges a
finding beside those of other runs. A `fix.py` makes a `Fix`, which `with_fix` puts to a finding. `match` takes values
apart.

What is listed here keeps its name, what it is given and what it means for as long as `API_VERSION` is the same; names
may be added at any time. All else in `ddl_lint` may change with every release. A rule of another package says in its
`rule.yaml` for which version it was written (`rulekit: 1`). Where that is another one, the rule is left out, which is
reported.

Nothing is imported but what a rule asks for: so is a check itself, when there is something for it to judge, and its
`fix.py`, when the first fix is made. What a check takes from its `fix.py` is functions, with small letters, or classes
and constants, with a capital.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from ddl_lint.analysis.interpreter.models.outcomes import unfinished_part as unfinished_part
    from ddl_lint.analysis.interpreter.models.tensors import form as form
    from ddl_lint.analysis.interpreter.models.tensors import has_own_length as has_own_length
    from ddl_lint.analysis.interpreter.models.tensors import is_moved as is_moved
    from ddl_lint.analysis.interpreter.models.tensors import may_be_itself as may_be_itself
    from ddl_lint.analysis.interpreter.models.tensors import number_type as number_type
    from ddl_lint.analysis.interpreter.models.tensors import operands_of as operands_of
    from ddl_lint.analysis.interpreter.models.tensors import owner_of_parameter as owner_of_parameter
    from ddl_lint.analysis.jobs_view import JobsView as JobsView
    from ddl_lint.analysis.queries.averaging import averaging as averaging
    from ddl_lint.analysis.queries.averaging import has_own_group as has_own_group
    from ddl_lint.analysis.queries.averaging import is_unseen as is_unseen
    from ddl_lint.analysis.queries.averaging import may_average as may_average
    from ddl_lint.analysis.queries.averaging import wrapped_by as wrapped_by
    from ddl_lint.analysis.queries.averaging import wrappings as wrappings
    from ddl_lint.analysis.queries.backends import assigns_ranks as assigns_ranks
    from ddl_lint.analysis.queries.backends import backends as backends
    from ddl_lint.analysis.queries.backends import is_for_cpus as is_for_cpus
    from ddl_lint.analysis.queries.backends import is_only_for_gpus as is_only_for_gpus
    from ddl_lint.analysis.queries.backends import joins_gpus as joins_gpus
    from ddl_lint.analysis.queries.compiled import compiled_before as compiled_before
    from ddl_lint.analysis.queries.control_context import asked_for as asked_for
    from ddl_lint.analysis.queries.control_context import called_back as called_back
    from ddl_lint.analysis.queries.control_context import catches as catches
    from ddl_lint.analysis.queries.control_context import catches_here as catches_here
    from ddl_lint.analysis.queries.control_context import contradicts as contradicts
    from ddl_lint.analysis.queries.control_context import is_certain as is_certain
    from ddl_lint.analysis.queries.control_context import is_joint as is_joint
    from ddl_lint.analysis.queries.control_context import is_mode_guarded as is_mode_guarded
    from ddl_lint.analysis.queries.control_context import is_on_every_rank as is_on_every_rank
    from ddl_lint.analysis.queries.control_context import is_rank_guarded as is_rank_guarded
    from ddl_lint.analysis.queries.control_context import is_replicated as is_replicated
    from ddl_lint.analysis.queries.control_context import is_same_process as is_same_process
    from ddl_lint.analysis.queries.control_context import is_version_guarded as is_version_guarded
    from ddl_lint.analysis.queries.control_context import left_under as left_under
    from ddl_lint.analysis.queries.control_context import may_be_replicated as may_be_replicated
    from ddl_lint.analysis.queries.control_context import may_differ as may_differ
    from ddl_lint.analysis.queries.control_context import may_guard_rank as may_guard_rank
    from ddl_lint.analysis.queries.control_context import objects_under as objects_under
    from ddl_lint.analysis.queries.control_context import reached_from as reached_from
    from ddl_lint.analysis.queries.control_context import runs_inside as runs_inside
    from ddl_lint.analysis.queries.control_context import single_shot as single_shot
    from ddl_lint.analysis.queries.data_flow import cares_for_data as cares_for_data
    from ddl_lint.analysis.queries.data_flow import consuming_loops as consuming_loops
    from ddl_lint.analysis.queries.data_flow import events_after as events_after
    from ddl_lint.analysis.queries.data_flow import events_consuming as events_consuming
    from ddl_lint.analysis.queries.data_flow import is_model_parallel as is_model_parallel
    from ddl_lint.analysis.queries.data_flow import is_sampled as is_sampled
    from ddl_lint.analysis.queries.data_flow import iterates_over as iterates_over
    from ddl_lint.analysis.queries.data_flow import steps_together as steps_together
    from ddl_lint.analysis.queries.data_flow import trains as trains
    from ddl_lint.analysis.queries.definitions import defines_own as defines_own
    from ddl_lint.analysis.queries.definitions import is_read_by as is_read_by
    from ddl_lint.analysis.queries.definitions import kept_by as kept_by
    from ddl_lint.analysis.queries.definitions import methods_assigning as methods_assigning
    from ddl_lint.analysis.queries.devices import ROLES as ROLES
    from ddl_lint.analysis.queries.devices import DeviceUse as DeviceUse
    from ddl_lint.analysis.queries.devices import chooses_device as chooses_device
    from ddl_lint.analysis.queries.devices import hides_devices as hides_devices
    from ddl_lint.analysis.queries.devices import may_see_own_device as may_see_own_device
    from ddl_lint.analysis.queries.devices import uses as uses
    from ddl_lint.analysis.queries.engine_configs import EngineConfig as EngineConfig
    from ddl_lint.analysis.queries.engine_configs import WrittenConfig as WrittenConfig
    from ddl_lint.analysis.queries.engine_configs import engine_configs as engine_configs
    from ddl_lint.analysis.queries.engine_configs import is_on as is_on
    from ddl_lint.analysis.queries.engine_configs import literal as literal
    from ddl_lint.analysis.queries.engine_configs import written_configs as written_configs
    from ddl_lint.analysis.queries.engines import Engine as Engine
    from ddl_lint.analysis.queries.engines import are_exclusive as are_exclusive
    from ddl_lint.analysis.queries.engines import comes_from as comes_from
    from ddl_lint.analysis.queries.engines import engine_events as engine_events
    from ddl_lint.analysis.queries.engines import engines as engines
    from ddl_lint.analysis.queries.engines import is_call as is_call
    from ddl_lint.analysis.queries.engines import is_of_scaler as is_of_scaler
    from ddl_lint.analysis.queries.engines import is_prepared as is_prepared
    from ddl_lint.analysis.queries.engines import is_trained as is_trained
    from ddl_lint.analysis.queries.engines import is_whole_here as is_whole_here
    from ddl_lint.analysis.queries.engines import may_drive as may_drive
    from ddl_lint.analysis.queries.engines import of_engine as of_engine
    from ddl_lint.analysis.queries.engines import same_iteration as same_iteration
    from ddl_lint.analysis.queries.gradients import Replica as Replica
    from ddl_lint.analysis.queries.gradients import averages_by_hand as averages_by_hand
    from ddl_lint.analysis.queries.gradients import calls_in_step as calls_in_step
    from ddl_lint.analysis.queries.gradients import conditions as conditions
    from ddl_lint.analysis.queries.gradients import dropped_parts as dropped_parts
    from ddl_lint.analysis.queries.gradients import forwards_behind as forwards_behind
    from ddl_lint.analysis.queries.gradients import is_call_of as is_call_of
    from ddl_lint.analysis.queries.gradients import is_held_back as is_held_back
    from ddl_lint.analysis.queries.gradients import is_inside as is_inside
    from ddl_lint.analysis.queries.gradients import is_only_call as is_only_call
    from ddl_lint.analysis.queries.gradients import may_be_held_back as may_be_held_back
    from ddl_lint.analysis.queries.gradients import may_hold_gradients as may_hold_gradients
    from ddl_lint.analysis.queries.gradients import replicas as replicas
    from ddl_lint.analysis.queries.gradients import trained_models as trained_models
    from ddl_lint.analysis.queries.iterations import runs_once as runs_once
    from ddl_lint.analysis.queries.job_size import doubt_of_trainer as doubt_of_trainer
    from ddl_lint.analysis.queries.job_size import doubt_of_wrapper as doubt_of_wrapper
    from ddl_lint.analysis.queries.job_size import is_launched_as_several as is_launched_as_several
    from ddl_lint.analysis.queries.job_size import is_of_parent as is_of_parent
    from ddl_lint.analysis.queries.job_size import is_on_one_node as is_on_one_node
    from ddl_lint.analysis.queries.job_size import is_started_alone as is_started_alone
    from ddl_lint.analysis.queries.job_size import is_started_on_one_node as is_started_on_one_node
    from ddl_lint.analysis.queries.job_size import may_span_nodes as may_span_nodes
    from ddl_lint.analysis.queries.job_size import meeting_with as meeting_with
    from ddl_lint.analysis.queries.job_size import starts_others as starts_others
    from ddl_lint.analysis.queries.launch_values import by_default as by_default
    from ddl_lint.analysis.queries.launch_values import is_launched_there as is_launched_there
    from ddl_lint.analysis.queries.launch_values import is_opt_in as is_opt_in
    from ddl_lint.analysis.queries.launch_values import launch_evidence as launch_evidence
    from ddl_lint.analysis.queries.launch_values import number_under_launch as number_under_launch
    from ddl_lint.analysis.queries.launch_values import started_processes as started_processes
    from ddl_lint.analysis.queries.launch_values import under_launch as under_launch
    from ddl_lint.analysis.queries.launches import accelerate_config as accelerate_config
    from ddl_lint.analysis.queries.launches import address_of as address_of
    from ddl_lint.analysis.queries.launches import configured as configured
    from ddl_lint.analysis.queries.launches import container_of as container_of
    from ddl_lint.analysis.queries.launches import container_options as container_options
    from ddl_lint.analysis.queries.launches import directives_of as directives_of
    from ddl_lint.analysis.queries.launches import host_part as host_part
    from ddl_lint.analysis.queries.launches import is_loopback as is_loopback
    from ddl_lint.analysis.queries.launches import is_under_slurm as is_under_slurm
    from ddl_lint.analysis.queries.launches import lists_devices as lists_devices
    from ddl_lint.analysis.queries.launches import nodes_of as nodes_of
    from ddl_lint.analysis.queries.launches import reads_task_count as reads_task_count
    from ddl_lint.analysis.queries.launches import visible_devices as visible_devices
    from ddl_lint.analysis.queries.launching import asks_for_rank as asks_for_rank
    from ddl_lint.analysis.queries.launching import given_rank as given_rank
    from ddl_lint.analysis.queries.launching import launcher_reads as launcher_reads
    from ddl_lint.analysis.queries.launching import meets_in_environment as meets_in_environment
    from ddl_lint.analysis.queries.launching import starts_several as starts_several
    from ddl_lint.analysis.queries.launching import variable_of as variable_of
    from ddl_lint.analysis.queries.library_use import as_caller as as_caller
    from ddl_lint.analysis.queries.library_use import beside_callers as beside_callers
    from ddl_lint.analysis.queries.library_use import is_of_job as is_of_job
    from ddl_lint.analysis.queries.library_use import joint_use as joint_use
    from ddl_lint.analysis.queries.megatron_jobs import MegatronJob as MegatronJob
    from ddl_lint.analysis.queries.megatron_jobs import defines as defines
    from ddl_lint.analysis.queries.megatron_jobs import is_written as is_written
    from ddl_lint.analysis.queries.megatron_jobs import megatron_jobs as megatron_jobs
    from ddl_lint.analysis.queries.megatron_jobs import option_of as option_of
    from ddl_lint.analysis.queries.megatron_jobs import texts_of_environment as texts_of_environment
    from ddl_lint.analysis.queries.modules import is_set_from_outside as is_set_from_outside
    from ddl_lint.analysis.queries.modules import module_children as module_children
    from ddl_lint.analysis.queries.modules import parts_of as parts_of
    from ddl_lint.analysis.queries.modules import wrapped as wrapped
    from ddl_lint.analysis.queries.modules import wrapper_trait as wrapper_trait
    from ddl_lint.analysis.queries.package_pins import files_with_index as files_with_index
    from ddl_lint.analysis.queries.package_pins import minor as minor
    from ddl_lint.analysis.queries.package_pins import specifier as specifier
    from ddl_lint.analysis.queries.package_pins import stage_images as stage_images
    from ddl_lint.analysis.queries.package_pins import surely as surely
    from ddl_lint.analysis.queries.package_pins import surely_not as surely_not
    from ddl_lint.analysis.queries.package_pins import units as units
    from ddl_lint.analysis.queries.quoting import callee as callee
    from ddl_lint.analysis.queries.quoting import quoted as quoted
    from ddl_lint.analysis.queries.records import is_installed as is_installed
    from ddl_lint.analysis.queries.records import one_for_records as one_for_records
    from ddl_lint.analysis.queries.result_misuse import misread as misread
    from ddl_lint.analysis.queries.result_misuse import used_at as used_at
    from ddl_lint.analysis.queries.spelling import spelled as spelled
    from ddl_lint.analysis.queries.spelling import spelling_of as spelling_of
    from ddl_lint.analysis.queries.spelling import without_launcher as without_launcher
    from ddl_lint.analysis.queries.strategies import batched_in as batched_in
    from ddl_lint.analysis.queries.strategies import data_sources as data_sources
    from ddl_lint.analysis.queries.strategies import follows as follows
    from ddl_lint.analysis.queries.strategies import is_for_one_replica as is_for_one_replica
    from ddl_lint.analysis.queries.strategies import is_keras_2 as is_keras_2
    from ddl_lint.analysis.queries.strategies import is_keras_3 as is_keras_3
    from ddl_lint.analysis.queries.strategies import is_made_outside as is_made_outside
    from ddl_lint.analysis.queries.strategies import is_set_for_all as is_set_for_all
    from ddl_lint.analysis.queries.strategies import made_in as made_in
    from ddl_lint.analysis.queries.strategies import may_be_in_scope as may_be_in_scope
    from ddl_lint.analysis.queries.strategies import replica_call as replica_call
    from ddl_lint.analysis.queries.strategies import replica_calls as replica_calls
    from ddl_lint.analysis.queries.strategies import scopes as scopes
    from ddl_lint.analysis.queries.strategies import strategies as strategies
    from ddl_lint.analysis.queries.tensor_device import on_cpu as on_cpu
    from ddl_lint.analysis.queries.unused_parameters import frozen_before as frozen_before
    from ddl_lint.analysis.queries.unused_parameters import has_parameters as has_parameters
    from ddl_lint.analysis.queries.unused_parameters import unused_parts as unused_parts
    from ddl_lint.analysis.ranks.agreement import Elements as Elements
    from ddl_lint.analysis.ranks.agreement import disagreement as disagreement
    from ddl_lint.analysis.ranks.agreement import is_named_after_rank as is_named_after_rank
    from ddl_lint.analysis.ranks.agreement import order_of_set as order_of_set
    from ddl_lint.analysis.ranks.evaluator import Bindings as Bindings
    from ddl_lint.analysis.ranks.evaluator import Evaluator as Evaluator
    from ddl_lint.analysis.ranks.findings import divergence_finding as divergence_finding
    from ddl_lint.analysis.ranks.findings import set_at as set_at
    from ddl_lint.analysis.ranks.found_divergences import Found as Found
    from ddl_lint.analysis.ranks.found_divergences import found_divergences as found_divergences
    from ddl_lint.analysis.ranks.found_divergences import join as join
    from ddl_lint.analysis.ranks.found_divergences import publish as publish
    from ddl_lint.analysis.ranks.found_divergences import timeline_of as timeline_of
    from ddl_lint.analysis.ranks.guards import is_kept_out as is_kept_out
    from ddl_lint.analysis.ranks.guards import passes as passes
    from ddl_lint.analysis.ranks.messages import Message as Message
    from ddl_lint.analysis.ranks.messages import Stuck as Stuck
    from ddl_lint.analysis.ranks.messages import stuck as stuck
    from ddl_lint.analysis.ranks.nondeterminism import LocalDivergence as LocalDivergence
    from ddl_lint.analysis.ranks.nondeterminism import is_of_own_share as is_of_own_share
    from ddl_lint.analysis.ranks.nondeterminism import local_divergence_finding as local_divergence_finding
    from ddl_lint.analysis.ranks.nondeterminism import local_divergences as local_divergences
    from ddl_lint.analysis.ranks.processes import Process as Process
    from ddl_lint.analysis.ranks.processes import job as job
    from ddl_lint.analysis.ranks.timeline import TimelineStep as TimelineStep
    from ddl_lint.analysis.ranks.together import broadcasts_buffers as broadcasts_buffers
    from ddl_lint.analysis.ranks.together import is_together as is_together
    from ddl_lint.analysis.shared import Shared as Shared
    from ddl_lint.analysis.syntactic.library_names import KeywordUse as KeywordUse
    from ddl_lint.analysis.syntactic.library_names import NameUse as NameUse
    from ddl_lint.analysis.syntactic.library_names import library_keywords as library_keywords
    from ddl_lint.analysis.syntactic.library_names import library_names as library_names
    from ddl_lint.analysis.syntactic.library_names import names_stored as names_stored
    from ddl_lint.analysis.syntactic.library_names import tried_calls as tried_calls
    from ddl_lint.analysis.syntactic.mentions import cuts_off as cuts_off
    from ddl_lint.analysis.syntactic.mentions import goes_through_something as goes_through_something
    from ddl_lint.analysis.syntactic.mentions import ignores_parameter as ignores_parameter
    from ddl_lint.analysis.syntactic.mentions import mentioned as mentioned
    from ddl_lint.analysis.syntactic.mentions import scales as scales
    from ddl_lint.analysis.syntactic.mentions import texts_in as texts_in
    from ddl_lint.analysis.syntactic.mentions import words_at as words_at
    from ddl_lint.analysis.syntactic.mentions import words_behind as words_behind
    from ddl_lint.analysis.syntactic.mentions import words_in as words_in
    from ddl_lint.analysis.syntactic.per_file import per_file as per_file
    from ddl_lint.analysis.values.certainty import always as always
    from ddl_lint.analysis.values.certainty import depends_on_rank as depends_on_rank
    from ddl_lint.analysis.values.certainty import is_absent as is_absent
    from ddl_lint.analysis.values.certainty import is_constant as is_constant
    from ddl_lint.analysis.values.certainty import is_default_group as is_default_group
    from ddl_lint.analysis.values.certainty import is_divided as is_divided
    from ddl_lint.analysis.values.certainty import is_object as is_object
    from ddl_lint.analysis.values.certainty import is_rank as is_rank
    from ddl_lint.analysis.values.certainty import last_word as last_word
    from ddl_lint.analysis.values.certainty import objects as objects
    from ddl_lint.analysis.values.certainty import sometimes as sometimes
    from ddl_lint.analysis.values.conditions import consequences as consequences
    from ddl_lint.analysis.values.conditions import normal as normal
    from ddl_lint.analysis.values.conditions import truth_of as truth_of
    from ddl_lint.analysis.values.contexts import branches as branches
    from ddl_lint.analysis.values.contexts import excludes as excludes
    from ddl_lint.analysis.values.contexts import in_handler as in_handler
    from ddl_lint.analysis.values.contexts import in_process as in_process
    from ddl_lint.analysis.values.contexts import is_one_of_several as is_one_of_several
    from ddl_lint.analysis.values.contexts import loops as loops
    from ddl_lint.analysis.values.contexts import rank_guards as rank_guards
    from ddl_lint.analysis.values.contexts import records_gradients as records_gradients
    from ddl_lint.analysis.values.contexts import rescues as rescues
    from ddl_lint.analysis.values.contexts import undecided as undecided
    from ddl_lint.analysis.values.contexts import with_contexts as with_contexts
    from ddl_lint.analysis.values.devices import Device as Device
    from ddl_lint.analysis.values.devices import accelerators as accelerators
    from ddl_lint.analysis.values.devices import asks_for_devices as asks_for_devices
    from ddl_lint.analysis.values.devices import devices as devices
    from ddl_lint.analysis.values.devices import is_current_device as is_current_device
    from ddl_lint.analysis.values.lattice import alternatives as alternatives
    from ddl_lint.analysis.values.number_texts import is_number as is_number
    from ddl_lint.analysis.values.number_texts import is_number_text as is_number_text
    from ddl_lint.analysis.values.operators import Concrete as Concrete
    from ddl_lint.analysis.values.operators import Undecided as Undecided
    from ddl_lint.analysis.values.tags import LOCAL_TAGS as LOCAL_TAGS
    from ddl_lint.analysis.values.tags import RANK_TAGS as RANK_TAGS
    from ddl_lint.analysis.values.tags import tags_now as tags_now
    from ddl_lint.analysis.values.tags import tags_of as tags_of
    from ddl_lint.analysis.values.visitors import children as children
    from ddl_lint.analysis.values.visitors import contents as contents
    from ddl_lint.analysis.values.visitors import dependencies as dependencies
    from ddl_lint.analysis.values.visitors import is_repeatable as is_repeatable
    from ddl_lint.analysis.values.visitors import mentions_flag as mentions_flag
    from ddl_lint.analysis.values.visitors import objects_in as objects_in
    from ddl_lint.analysis.values.visitors import parts as parts
    from ddl_lint.analysis.view import RunView as RunView
    from ddl_lint.claim import Claim as Claim
    from ddl_lint.claim import ConsequenceName as ConsequenceName
    from ddl_lint.domain import match as match
    from ddl_lint.domain.file_names import as_data as as_data
    from ddl_lint.finding import Applicability as Applicability
    from ddl_lint.finding import Confidence as Confidence
    from ddl_lint.finding import Edit as Edit
    from ddl_lint.finding import Evidence as Evidence
    from ddl_lint.finding import Finding as Finding
    from ddl_lint.finding import Fix as Fix
    from ddl_lint.finding import Severity as Severity
    from ddl_lint.finding import summed_up as summed_up
    from ddl_lint.fixes.build import with_fix as with_fix
    from ddl_lint.fixes.configs.edits import inserting as inserting
    from ddl_lint.fixes.configs.edits import replacing as replacing
    from ddl_lint.fixes.configs.entries import moving as moving
    from ddl_lint.fixes.configs.entries import moving_words as moving_words
    from ddl_lint.fixes.configs.entries import removing as removing
    from ddl_lint.fixes.configs.entries import removing_option as removing_option
    from ddl_lint.fixes.configs.requirements import as_word as as_word
    from ddl_lint.fixes.configs.requirements import requiring as requiring
    from ddl_lint.fixes.python.arguments import Argument as Argument
    from ddl_lint.fixes.python.arguments import add_argument as add_argument
    from ddl_lint.fixes.python.arguments import add_keyword as add_keyword
    from ddl_lint.fixes.python.arguments import keyword as keyword
    from ddl_lint.fixes.python.arguments import remove_argument as remove_argument
    from ddl_lint.fixes.python.arguments import remove_arguments as remove_arguments
    from ddl_lint.fixes.python.arguments import replace_argument as replace_argument
    from ddl_lint.fixes.python.arguments import replace_expression as replace_expression
    from ddl_lint.fixes.python.arguments import set_keyword as set_keyword
    from ddl_lint.fixes.python.arguments import value_of as value_of
    from ddl_lint.fixes.python.displays import add_entry as add_entry
    from ddl_lint.fixes.python.displays import insert_item as insert_item
    from ddl_lint.fixes.python.displays import move_item as move_item
    from ddl_lint.fixes.python.file import File as File
    from ddl_lint.fixes.python.file import Place as Place
    from ddl_lint.fixes.python.layout import as_lines as as_lines
    from ddl_lint.fixes.python.layout import comment_start as comment_start
    from ddl_lint.fixes.python.layout import lines_of as lines_of
    from ddl_lint.fixes.python.layout import reindented as reindented
    from ddl_lint.fixes.python.liveness import bound_in as bound_in
    from ddl_lint.fixes.python.liveness import is_bound_before as is_bound_before
    from ddl_lint.fixes.python.liveness import scope_of as scope_of
    from ddl_lint.fixes.python.parameters import add_parameter as add_parameter
    from ddl_lint.fixes.python.parameters import mentions_of as mentions_of
    from ddl_lint.fixes.python.scope import dotted as dotted
    from ddl_lint.fixes.python.scope import names_bound as names_bound
    from ddl_lint.fixes.python.scope import names_read as names_read
    from ddl_lint.fixes.python.statements import insert_after as insert_after
    from ddl_lint.fixes.python.statements import insert_before as insert_before
    from ddl_lint.fixes.python.statements import insert_first as insert_first
    from ddl_lint.fixes.python.statements import move_after as move_after
    from ddl_lint.fixes.python.statements import move_before as move_before
    from ddl_lint.fixes.python.statements import move_out as move_out
    from ddl_lint.fixes.python.statements import remove as remove
    from ddl_lint.fixes.python.statements import replace_statement as replace_statement
    from ddl_lint.fixes.python.statements import unwrap as unwrap
    from ddl_lint.fixes.python.statements import wrap as wrap
    from ddl_lint.fixes.python.tree import blocks_of as blocks_of
    from ddl_lint.fixes.python.tree import child_nodes as child_nodes
    from ddl_lint.fixes.python.tree import node_at as node_at
    from ddl_lint.fixes.python.tree import path_to as path_to
    from ddl_lint.fixes.python.tree import walk as walk
    from ddl_lint.fixes.python.wording import Wording as Wording
    from ddl_lint.fixes.python.wording import word as word
    from ddl_lint.fixes.ranks.agreement import Who as Who
    from ddl_lint.fixes.ranks.agreement import asked_at as asked_at
    from ddl_lint.fixes.ranks.agreement import decide_together as decide_together
    from ddl_lint.fixes.ranks.agreement import meet_before as meet_before
    from ddl_lint.fixes.ranks.agreement import share_name as share_name
    from ddl_lint.fixes.ranks.exits import move_exit_behind as move_exit_behind
    from ddl_lint.fixes.ranks.guards import calls_under as calls_under
    from ddl_lint.fixes.ranks.guards import move_out_of_guard as move_out_of_guard
    from ddl_lint.fixes.runs.accumulation import uncounted as uncounted
    from ddl_lint.fixes.runs.accumulation import undivided as undivided
    from ddl_lint.fixes.runs.assumptions import happens_without as happens_without
    from ddl_lint.fixes.runs.assumptions import has_group as has_group
    from ddl_lint.fixes.runs.assumptions import inside as inside
    from ddl_lint.fixes.runs.assumptions import is_handed_on as is_handed_on
    from ddl_lint.fixes.runs.assumptions import may_be_unwrapped as may_be_unwrapped
    from ddl_lint.fixes.runs.assumptions import speaker as speaker
    from ddl_lint.fixes.runs.call_path import CallStep as CallStep
    from ddl_lint.fixes.runs.call_path import around as around
    from ddl_lint.fixes.runs.call_path import meeting as meeting
    from ddl_lint.fixes.runs.call_path import spelled_at as spelled_at
    from ddl_lint.fixes.runs.call_path import way as way
    from ddl_lint.fixes.runs.engines import engine_at as engine_at
    from ddl_lint.fixes.runs.engines import method_of as method_of
    from ddl_lint.fixes.runs.epochs import EpochLoop as EpochLoop
    from ddl_lint.fixes.runs.epochs import epoch_loop as epoch_loop
    from ddl_lint.fixes.runs.epochs import epoch_loops as epoch_loops
    from ddl_lint.fixes.runs.epochs import names_around as names_around
    from ddl_lint.fixes.runs.modules import is_set_up as is_set_up
    from ddl_lint.fixes.runs.names import model_named as model_named
    from ddl_lint.fixes.runs.names import name_at as name_at
    from ddl_lint.fixes.runs.names import name_given as name_given
    from ddl_lint.fixes.runs.names import receiver as receiver
    from ddl_lint.fixes.runs.order import bring_forward as bring_forward
    from ddl_lint.fixes.runs.order import put_off as put_off
    from ddl_lint.fixes.runs.project import argument_of as argument_of
    from ddl_lint.fixes.runs.project import attribute_for as attribute_for
    from ddl_lint.fixes.runs.project import documents_of as documents_of
    from ddl_lint.fixes.runs.project import file_of as file_of
    from ddl_lint.fixes.runs.project import given_for as given_for
    from ddl_lint.fixes.runs.project import method_for as method_for
    from ddl_lint.fixes.runs.project import parameter_of as parameter_of
    from ddl_lint.fixes.runs.project import positional_of as positional_of
    from ddl_lint.fixes.runs.project import render_idiom as render_idiom
    from ddl_lint.fixes.runs.results import filled_argument as filled_argument
    from ddl_lint.fixes.runs.results import read_afterwards as read_afterwards
    from ddl_lint.fixes.runs.results import written_call as written_call
    from ddl_lint.fixes.runs.scopes import move_into_scope as move_into_scope
    from ddl_lint.fixes.runs.scopes import put_into_scope as put_into_scope
    from ddl_lint.fixes.runs.sizes import by_world_size as by_world_size
    from ddl_lint.fixes.runs.wrappers import by_trainer as by_trainer
    from ddl_lint.fixes.runs.wrappers import without_wrapper as without_wrapper
    from ddl_lint.fixes.runs.written import argument_text as argument_text
    from ddl_lint.fixes.runs.written import called_name as called_name
    from ddl_lint.fixes.runs.written import idiom_at as idiom_at
    from ddl_lint.fixes.runs.written import model_name as model_name
    from ddl_lint.fixes.runs.written import named as named
    from ddl_lint.fixes.runs.written import result_name as result_name
    from ddl_lint.fixes.runs.written import shown as shown
    from ddl_lint.fixes.runs.written import source_text as source_text
    from ddl_lint.fixes.unfixable import Unfixable as Unfixable
    from ddl_lint.fixes.unfixable import without_fix as without_fix
    from ddl_lint.frameworks.index import ApiIndex as ApiIndex
    from ddl_lint.frameworks.model import FunctionModel as FunctionModel
    from ddl_lint.frameworks.model import Ineffective as Ineffective
    from ddl_lint.jobs import tree as tree
    from ddl_lint.jobs.arguments import may_have_more as may_have_more
    from ddl_lint.jobs.arguments import script_options as script_options
    from ddl_lint.jobs.containers import Container as Container
    from ddl_lint.jobs.containers import Workload as Workload
    from ddl_lint.jobs.dockerfile import Instruction as Instruction
    from ddl_lint.jobs.files import JobFile as JobFile
    from ddl_lint.jobs.hosts import hosts_of as hosts_of
    from ddl_lint.jobs.known import facts as facts
    from ddl_lint.jobs.known import read_data as read_data
    from ddl_lint.jobs.launch import Launch as Launch
    from ddl_lint.jobs.launch import Option as Option
    from ddl_lint.jobs.launch import Step as Step
    from ddl_lint.jobs.launch import number_of as number_of
    from ddl_lint.jobs.launchers import Launcher as Launcher
    from ddl_lint.jobs.launchers import launchers as launchers
    from ddl_lint.jobs.project_jobs import JobText as JobText
    from ddl_lint.jobs.project_jobs import Variable as Variable
    from ddl_lint.jobs.requirements import Pin as Pin
    from ddl_lint.jobs.requirements import Unit as Unit
    from ddl_lint.jobs.requirements import installed_by as installed_by
    from ddl_lint.jobs.sizes import sizes_of as sizes_of
    from ddl_lint.jobs.slurm import Directives as Directives
    from ddl_lint.jobs.spelling import misspelt as misspelt
    from ddl_lint.jobs.versions import Versions as Versions
    from ddl_lint.jobs.words import Command as Command
    from ddl_lint.jobs.words import Word as Word
    from ddl_lint.program import code as code
    from ddl_lint.program.events import CollectiveWhen as CollectiveWhen
    from ddl_lint.program.events import EventKind as EventKind
    from ddl_lint.program.heap import Heap as Heap
    from ddl_lint.program.tags import DATA as DATA
    from ddl_lint.program.tags import LOCAL_RANK as LOCAL_RANK
    from ddl_lint.program.tags import METRIC as METRIC
    from ddl_lint.program.tags import NO_TAGS as NO_TAGS
    from ddl_lint.program.tags import NUMBER as NUMBER
    from ddl_lint.program.tags import OUTPUT as OUTPUT
    from ddl_lint.program.tags import RANDOM as RANDOM
    from ddl_lint.program.tags import SHARE as SHARE
    from ddl_lint.program.tags import SIZE as SIZE
    from ddl_lint.program.tags import TIME as TIME
    from ddl_lint.program.tags import UNIFORM as UNIFORM
    from ddl_lint.program.tags import Tag as Tag
    from ddl_lint.program.tags import TagKind as TagKind
    from ddl_lint.program.trace import Context as Context
    from ddl_lint.program.trace import Event as Event
    from ddl_lint.program.trace import Exit as Exit
    from ddl_lint.program.trace import Spelling as Spelling
    from ddl_lint.program.values import FALSE as FALSE
    from ddl_lint.program.values import NONE as NONE
    from ddl_lint.program.values import TRUE as TRUE
    from ddl_lint.program.values import UNKNOWN as UNKNOWN
    from ddl_lint.program.values import Alternatives as Alternatives
    from ddl_lint.program.values import Apply as Apply
    from ddl_lint.program.values import Bound as Bound
    from ddl_lint.program.values import ClassRef as ClassRef
    from ddl_lint.program.values import Const as Const
    from ddl_lint.program.values import DeviceCount as DeviceCount
    from ddl_lint.program.values import Fact as Fact
    from ddl_lint.program.values import Flag as Flag
    from ddl_lint.program.values import FunctionRef as FunctionRef
    from ddl_lint.program.values import Items as Items
    from ddl_lint.program.values import Object as Object
    from ddl_lint.program.values import Rank as Rank
    from ddl_lint.program.values import Setting as Setting
    from ddl_lint.program.values import Symbol as Symbol
    from ddl_lint.program.values import Table as Table
    from ddl_lint.program.values import Unknown as Unknown
    from ddl_lint.program.values import Value as Value
    from ddl_lint.program.values import WorldSize as WorldSize
    from ddl_lint.registry.schema import nearest as nearest
    from ddl_lint.source import nodes as nodes
    from ddl_lint.source.known import Known as Known
    from ddl_lint.source.lexer import Kind as Kind
    from ddl_lint.source.lexer import scan as scan
    from ddl_lint.source.span import Location as Location
    from ddl_lint.source.span import Span as Span

API_VERSION: Final = 1
"""Raised when a name of the rulekit goes away, or changes so that a rule that uses it has to be changed."""

NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    # --- what a rule is asked, and what it says ----------------------------------------------------------------------
    "ddl_lint.analysis.view": ("RunView",),
    "ddl_lint.analysis.shared": ("Shared",),
    "ddl_lint.claim": ("Claim", "ConsequenceName"),
    "ddl_lint.finding": (
        *("Applicability", "Confidence", "Edit", "Evidence"),
        *("Finding", "Fix", "Severity", "summed_up"),
    ),
    "ddl_lint.source.known": ("Known",),
    "ddl_lint.source.span": ("Location", "Span"),
    "ddl_lint.fixes.build": ("with_fix",),
    "ddl_lint.fixes.unfixable": ("Unfixable", "without_fix"),
    # --- what a run is made of: events in their circumstances, values, the code itself -------------------------------
    "ddl_lint.program.trace": ("Context", "Event", "Exit", "Spelling"),
    "ddl_lint.program.events": ("CollectiveWhen", "EventKind"),
    "ddl_lint.program.tags": (
        "DATA",
        "LOCAL_RANK",
        "METRIC",
        "NO_TAGS",
        "NUMBER",
        "OUTPUT",
        "RANDOM",
        "SHARE",
        "SIZE",
        "TIME",
        "Tag",
        "TagKind",
        "UNIFORM",
    ),
    "ddl_lint.program.values": (
        "Alternatives",
        "Apply",
        "Bound",
        "ClassRef",
        "Const",
        "DeviceCount",
        "FALSE",
        "Fact",
        "Flag",
        "FunctionRef",
        "Items",
        "NONE",
        "Object",
        "Rank",
        "Setting",
        "Symbol",
        "TRUE",
        "Table",
        "UNKNOWN",
        "Unknown",
        "Value",
        "WorldSize",
    ),
    "ddl_lint.program.heap": ("Heap",),
    "ddl_lint.program": ("code",),
    "ddl_lint.domain": ("match",),
    "ddl_lint.domain.file_names": ("as_data",),
    "ddl_lint.frameworks.index": ("ApiIndex",),
    "ddl_lint.frameworks.model": ("FunctionModel", "Ineffective"),
    "ddl_lint.jobs.versions": ("Versions",),
    "ddl_lint.analysis.queries.megatron_jobs": (
        "MegatronJob",
        "defines",
        "is_written",
        "megatron_jobs",
        "option_of",
        "texts_of_environment",
    ),
    "ddl_lint.analysis.queries.package_pins": (
        "files_with_index",
        "minor",
        "specifier",
        "stage_images",
        "surely",
        "surely_not",
        "units",
    ),
    "ddl_lint.analysis.queries.records": ("is_installed", "one_for_records"),
    "ddl_lint.analysis.queries.engine_configs": (
        "EngineConfig",
        "WrittenConfig",
        "engine_configs",
        "is_on",
        "literal",
        "written_configs",
    ),
    "ddl_lint.jobs.arguments": ("may_have_more", "script_options"),
    "ddl_lint.analysis.queries.launch_values": (
        "by_default",
        "is_launched_there",
        "is_opt_in",
        "launch_evidence",
        "number_under_launch",
        "started_processes",
        "under_launch",
    ),
    "ddl_lint.analysis.queries.strategies": (
        "batched_in",
        "data_sources",
        "is_for_one_replica",
        "is_keras_2",
        "is_keras_3",
        "follows",
        "is_made_outside",
        "is_set_for_all",
        "made_in",
        "may_be_in_scope",
        "replica_call",
        "replica_calls",
        "scopes",
        "strategies",
    ),
    "ddl_lint.jobs.known": ("facts", "read_data"),
    "ddl_lint.jobs.spelling": ("misspelt",),
    "ddl_lint.analysis.queries.launches": (
        "accelerate_config",
        "address_of",
        "configured",
        "container_of",
        "container_options",
        "directives_of",
        "host_part",
        "is_loopback",
        "is_under_slurm",
        "lists_devices",
        "nodes_of",
        "reads_task_count",
        "visible_devices",
    ),
    # --- launches, configurations, requirements
    "ddl_lint.analysis.jobs_view": ("JobsView",),
    "ddl_lint.fixes.configs.requirements": ("as_word", "requiring"),
    "ddl_lint.fixes.configs.edits": (
        "inserting",
        "replacing",
    ),
    "ddl_lint.fixes.configs.entries": (
        "moving",
        "moving_words",
        "removing",
        "removing_option",
    ),
    "ddl_lint.jobs": ("tree",),
    "ddl_lint.jobs.containers": (
        "Container",
        "Workload",
    ),
    "ddl_lint.jobs.dockerfile": ("Instruction",),
    "ddl_lint.jobs.files": ("JobFile",),
    "ddl_lint.jobs.hosts": ("hosts_of",),
    "ddl_lint.jobs.launch": (
        "Launch",
        "Option",
        "Step",
        "number_of",
    ),
    "ddl_lint.jobs.sizes": ("sizes_of",),
    "ddl_lint.jobs.launchers": (
        "Launcher",
        "launchers",
    ),
    "ddl_lint.jobs.project_jobs": (
        "JobText",
        "Variable",
    ),
    "ddl_lint.jobs.requirements": (
        "Pin",
        "Unit",
        "installed_by",
    ),
    "ddl_lint.jobs.slurm": ("Directives",),
    "ddl_lint.jobs.words": (
        "Command",
        "Word",
    ),
    "ddl_lint.source": ("nodes",),
    # --- questions about a value -------------------------------------------------------------------------------------
    "ddl_lint.analysis.values.certainty": (
        "always",
        "depends_on_rank",
        "is_absent",
        "is_constant",
        "is_default_group",
        "is_divided",
        "is_object",
        "is_rank",
        "last_word",
        "objects",
        "sometimes",
    ),
    "ddl_lint.analysis.values.operators": ("Concrete", "Undecided"),
    "ddl_lint.analysis.values.conditions": ("consequences", "normal", "truth_of"),
    "ddl_lint.analysis.values.lattice": ("alternatives",),
    "ddl_lint.analysis.values.tags": ("LOCAL_TAGS", "RANK_TAGS", "tags_now", "tags_of"),
    "ddl_lint.analysis.values.visitors": (
        "children",
        "contents",
        "dependencies",
        "is_repeatable",
        "mentions_flag",
        "objects_in",
        "parts",
    ),
    "ddl_lint.analysis.values.devices": ("Device", "accelerators", "asks_for_devices", "devices", "is_current_device"),
    "ddl_lint.analysis.interpreter.models.tensors": (
        "form",
        "has_own_length",
        "is_moved",
        "may_be_itself",
        "number_type",
        "operands_of",
        "owner_of_parameter",
    ),
    "ddl_lint.analysis.values.number_texts": ("is_number", "is_number_text"),
    # --- questions about the circumstances of an event ---------------------------------------------------------------
    "ddl_lint.analysis.values.contexts": (
        "excludes",
        "branches",
        "in_handler",
        "rescues",
        "in_process",
        "is_one_of_several",
        "loops",
        "rank_guards",
        "records_gradients",
        "undecided",
        "with_contexts",
    ),
    "ddl_lint.analysis.queries.control_context": (
        "asked_for",
        "called_back",
        "catches",
        "catches_here",
        "contradicts",
        "is_certain",
        "is_joint",
        "is_mode_guarded",
        "is_on_every_rank",
        "is_rank_guarded",
        "is_replicated",
        "is_same_process",
        "is_version_guarded",
        "left_under",
        "may_be_replicated",
        "may_differ",
        "may_guard_rank",
        "objects_under",
        "reached_from",
        "runs_inside",
        "single_shot",
    ),
    "ddl_lint.analysis.queries.iterations": ("runs_once",),
    "ddl_lint.analysis.queries.backends": (
        "assigns_ranks",
        "backends",
        "is_for_cpus",
        "is_only_for_gpus",
        "joins_gpus",
    ),
    "ddl_lint.analysis.interpreter.models.outcomes": ("unfinished_part",),
    # --- questions about the training --------------------------------------------------------------------------------
    "ddl_lint.analysis.queries.averaging": (
        "averaging",
        "has_own_group",
        "is_unseen",
        "may_average",
        "wrapped_by",
        "wrappings",
    ),
    "ddl_lint.analysis.queries.data_flow": (
        "cares_for_data",
        "consuming_loops",
        "events_after",
        "events_consuming",
        "is_model_parallel",
        "is_sampled",
        "iterates_over",
        "steps_together",
        "trains",
    ),
    "ddl_lint.analysis.queries.compiled": ("compiled_before",),
    "ddl_lint.analysis.queries.definitions": ("defines_own", "is_read_by", "kept_by", "methods_assigning"),
    "ddl_lint.analysis.queries.devices": (
        "DeviceUse",
        "ROLES",
        "chooses_device",
        "hides_devices",
        "may_see_own_device",
        "uses",
    ),
    "ddl_lint.analysis.queries.engines": (
        "Engine",
        "are_exclusive",
        "comes_from",
        "engines",
        "same_iteration",
        "is_call",
        "is_of_scaler",
        "is_prepared",
        "is_trained",
        "is_whole_here",
        "may_drive",
        "of_engine",
        "engine_events",
    ),
    "ddl_lint.analysis.queries.gradients": (
        "Replica",
        "averages_by_hand",
        "calls_in_step",
        "conditions",
        "dropped_parts",
        "forwards_behind",
        "is_call_of",
        "is_held_back",
        "is_inside",
        "is_only_call",
        "may_be_held_back",
        "may_hold_gradients",
        "replicas",
        "trained_models",
    ),
    "ddl_lint.analysis.queries.job_size": (
        "doubt_of_trainer",
        "doubt_of_wrapper",
        "is_launched_as_several",
        "is_of_parent",
        "is_on_one_node",
        "is_started_alone",
        "is_started_on_one_node",
        "may_span_nodes",
        "meeting_with",
        "starts_others",
    ),
    "ddl_lint.analysis.queries.library_use": ("as_caller", "beside_callers", "is_of_job", "joint_use"),
    "ddl_lint.analysis.queries.launching": (
        "asks_for_rank",
        "launcher_reads",
        "meets_in_environment",
        "starts_several",
        "given_rank",
        "variable_of",
    ),
    "ddl_lint.analysis.queries.modules": (
        "is_set_from_outside",
        "module_children",
        "parts_of",
        "wrapped",
        "wrapper_trait",
    ),
    "ddl_lint.analysis.queries.quoting": ("callee", "quoted"),
    "ddl_lint.analysis.queries.result_misuse": ("misread", "used_at"),
    "ddl_lint.analysis.queries.spelling": ("spelled", "spelling_of", "without_launcher"),
    "ddl_lint.analysis.queries.tensor_device": ("on_cpu",),
    "ddl_lint.analysis.queries.unused_parameters": ("frozen_before", "has_parameters", "unused_parts"),
    # --- what the ranks do together ----------------------------------------------------------------------------------
    "ddl_lint.analysis.ranks.findings": ("divergence_finding", "set_at"),
    "ddl_lint.analysis.ranks.agreement": (
        "disagreement",
        "Elements",
        "is_named_after_rank",
        "order_of_set",
    ),
    "ddl_lint.analysis.ranks.nondeterminism": (
        "LocalDivergence",
        "is_of_own_share",
        "local_divergence_finding",
        "local_divergences",
    ),
    "ddl_lint.analysis.ranks.evaluator": ("Bindings", "Evaluator"),
    "ddl_lint.analysis.ranks.timeline": ("TimelineStep",),
    "ddl_lint.analysis.ranks.guards": ("is_kept_out", "passes"),
    "ddl_lint.analysis.ranks.messages": ("Message", "Stuck", "stuck"),
    "ddl_lint.analysis.ranks.processes": ("Process", "job"),
    "ddl_lint.analysis.ranks.found_divergences": ("Found", "join", "publish", "found_divergences", "timeline_of"),
    "ddl_lint.analysis.ranks.together": ("broadcasts_buffers", "is_together"),
    # --- what the text says, where it need not be followed -----------------------------------------------------------
    "ddl_lint.analysis.syntactic.library_names": (
        "KeywordUse",
        "NameUse",
        "library_keywords",
        "library_names",
        "names_stored",
        "tried_calls",
    ),
    "ddl_lint.analysis.syntactic.mentions": (
        "cuts_off",
        "goes_through_something",
        "ignores_parameter",
        "mentioned",
        "scales",
        "texts_in",
        "words_at",
        "words_behind",
        "words_in",
    ),
    "ddl_lint.analysis.syntactic.per_file": ("per_file",),
    "ddl_lint.source.lexer": ("Kind", "scan"),
    "ddl_lint.registry.schema": ("nearest",),
    # --- fixes: where in the code what a run does is written ---------------------------------------------------------
    "ddl_lint.fixes.runs.accumulation": ("uncounted", "undivided"),
    "ddl_lint.fixes.runs.assumptions": (
        "happens_without",
        "has_group",
        "inside",
        "is_handed_on",
        "may_be_unwrapped",
        "speaker",
    ),
    "ddl_lint.fixes.runs.call_path": ("CallStep", "around", "meeting", "spelled_at", "way"),
    "ddl_lint.fixes.runs.engines": ("engine_at", "method_of"),
    "ddl_lint.fixes.runs.epochs": ("EpochLoop", "epoch_loop", "epoch_loops", "names_around"),
    "ddl_lint.fixes.runs.modules": ("is_set_up",),
    "ddl_lint.fixes.runs.names": ("model_named", "name_at", "name_given", "receiver"),
    "ddl_lint.fixes.runs.order": ("bring_forward", "put_off"),
    "ddl_lint.fixes.runs.project": (
        "argument_of",
        "attribute_for",
        "documents_of",
        "file_of",
        "given_for",
        "method_for",
        "parameter_of",
        "positional_of",
        "render_idiom",
    ),
    "ddl_lint.fixes.runs.results": ("filled_argument", "read_afterwards", "written_call"),
    "ddl_lint.fixes.runs.scopes": ("move_into_scope", "put_into_scope"),
    "ddl_lint.fixes.runs.sizes": ("by_world_size",),
    "ddl_lint.fixes.runs.wrappers": ("by_trainer", "without_wrapper"),
    "ddl_lint.fixes.runs.written": (
        "argument_text",
        "called_name",
        "idiom_at",
        "model_name",
        "named",
        "result_name",
        "shown",
        "source_text",
    ),
    # --- fixes: edits of Python --------------------------------------------------------------------------------------
    "ddl_lint.fixes.python.arguments": (
        "Argument",
        "add_argument",
        "add_keyword",
        "keyword",
        "remove_argument",
        "remove_arguments",
        "replace_argument",
        "replace_expression",
        "set_keyword",
        "value_of",
    ),
    "ddl_lint.fixes.python.displays": ("add_entry", "insert_item", "move_item"),
    "ddl_lint.fixes.python.file": ("File", "Place"),
    "ddl_lint.fixes.python.layout": ("as_lines", "comment_start", "lines_of", "reindented"),
    "ddl_lint.fixes.python.liveness": ("bound_in", "is_bound_before", "scope_of"),
    "ddl_lint.fixes.python.parameters": ("add_parameter", "mentions_of"),
    "ddl_lint.fixes.python.scope": ("dotted", "names_bound", "names_read"),
    "ddl_lint.fixes.python.statements": (
        "insert_after",
        "insert_before",
        "insert_first",
        "move_after",
        "move_before",
        "move_out",
        "remove",
        "replace_statement",
        "unwrap",
        "wrap",
    ),
    "ddl_lint.fixes.python.tree": ("blocks_of", "child_nodes", "node_at", "path_to", "walk"),
    "ddl_lint.fixes.python.wording": ("Wording", "word"),
    # --- fixes: what ranks are to do together ------------------------------------------------------------------------
    "ddl_lint.fixes.ranks.agreement": ("Who", "asked_at", "decide_together", "meet_before", "share_name"),
    "ddl_lint.fixes.ranks.exits": ("move_exit_behind",),
    "ddl_lint.fixes.ranks.guards": ("calls_under", "move_out_of_guard"),
}
"""Module -> what of it is offered."""

_MODULES: Final = {name: module for module, names in NAMES.items() for name in names}
_FIXES: Final = "ddl_lint.fixes."


def __getattr__(name: str) -> Any:
    """Import what is asked for from where it lives."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = _MODULES[name]
    if home.startswith(_FIXES) and name.islower() and home not in sys.modules:
        return _late(home, name)
    module = import_module(home)
    try:
        found = getattr(module, name)
    except AttributeError:  # a module is an attribute of its package only when it has been imported
        found = import_module(f"{module.__name__}.{name}")
    globals()[name] = found
    return found


@cache
def _late(module: str, name: str) -> Callable[..., Any]:
    """A function that edits programs, which a check has at hand: it is imported when it is called, for most checks find
    nothing.
    """

    def late(*args: Any, **kwargs: Any) -> Any:
        return getattr(import_module(module), name)(*args, **kwargs)

    late.__name__ = name
    return late


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
