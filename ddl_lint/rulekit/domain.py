"""A training run in the field's own terms: what numbers count, what a rank has of the data, what a program makes."""

from __future__ import annotations

from ddl_lint.domain.file_names import FileName as FileName
from ddl_lint.domain.files import FileUse as FileUse
from ddl_lint.domain.files import RunFiles as RunFiles
from ddl_lint.domain.files import file_uses as file_uses
from ddl_lint.domain.files import may_be_among as may_be_among
from ddl_lint.domain.objects import Loader as Loader
from ddl_lint.domain.objects import Model as Model
from ddl_lint.domain.objects import Optimizer as Optimizer
from ddl_lint.domain.objects import Parameter as Parameter
from ddl_lint.domain.objects import Sampler as Sampler
from ddl_lint.domain.objects import State as State
from ddl_lint.domain.objects import Strategy as Strategy
from ddl_lint.domain.objects import Trained as Trained
from ddl_lint.domain.paths import Path as Path
from ddl_lint.domain.paths import asks_for_any as asks_for_any
from ddl_lint.domain.quantities import PROCESSES as PROCESSES
from ddl_lint.domain.quantities import RANKS as RANKS
from ddl_lint.domain.quantities import Count as Count
from ddl_lint.domain.quantities import Quantity as Quantity
from ddl_lint.domain.quantities import count_of as count_of
from ddl_lint.domain.quantities import elements as elements
from ddl_lint.domain.quantities import integer as integer
from ddl_lint.domain.quantities import known_length as known_length
from ddl_lint.domain.quantities import most_elements as most_elements
from ddl_lint.domain.quantities import names_in as names_in
from ddl_lint.domain.quantities import quantity as quantity
from ddl_lint.domain.shares import Share as Share
from ddl_lint.domain.shares import bounds_of as bounds_of
from ddl_lint.domain.shares import carries as carries
from ddl_lint.domain.shares import is_end_of_block as is_end_of_block
