"""Which calls it pays to keep: what that has cost so far, and what it has saved, both counted in statements.

To keep calls costs something before it saves anything. So a function must have been followed at length in another run
first, and all that is spent on functions which have not paid yet stays a small part of what is followed anyway: where
nothing happens twice, a check costs as good as nothing more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ddl_lint.program import code

_LONG = 60
"""So many statements must have been followed in a call of a function for others of it to be kept."""

_PARTS = 80
"""So many parts of a state take about as long as it takes to follow a statement: to come to them, and to keep them."""

_SHARE = 50
"""One of so many statements may be spent on functions that have not paid yet."""

_OF_SAVED = 8
"""And one of so many of those that were saved."""

_OF_FUNCTION = 8
"""And for each of them one of so many that were followed in its calls."""

_DEAR = 400
"""A call of so many statements is as dear as any: functions with cheaper calls may spend less of what is allowed."""

_SPOILT = 3
"""After so many calls of a function, of which none could be kept, no more are looked at."""

_LONGEST_WAIT = 64
"""How many calls a function waits at most until it is looked at again, after many that were not known."""

_PATIENCE = 24
"""After so many of them in a row, those that were kept are given up."""

_SHAPES = 500
"""So many shapes of calls of a function are remembered."""

_NEVER = 1 << 60


@dataclass(eq=False, slots=True)
class _Account:
    """How it goes with the calls of one function."""

    calls: int = 1
    """How many calls of it were followed."""

    next: int = 0
    """After how many it is looked at again, if it does not pay."""

    failed: int = 0
    """How many calls in a row were not known."""

    spoilt: int = 0
    kept: int = 0
    taken: int = 0
    """The statements that were followed in its calls."""

    spent: int = 0
    saved: int = 0
    shapes: dict[int, int] = field(default_factory=dict[int, int])
    """What its calls look like from outside, and the first run with such a call."""

    @property
    def debt(self) -> int:
        """What has been spent on it and is not yet made up for by half of what it has saved."""
        return max(0, self.spent - self.saved // 2)


class Worth:
    """What keeping calls costs and saves in one interpreter."""

    def __init__(self, *, is_free: bool = False) -> None:
        """With `is_free`, calls are kept whatever it costs."""
        self._is_free = is_free
        self._accounts: dict[code.Function, _Account] = {}
        self._followed = 0
        """The statements that were followed in functions."""

        self._saved = 0
        self._debt = 0

    def note(self, function: code.Function, taken: int, own: int) -> None:
        """Note that a call was followed: the statements in it, and those of the function itself."""
        self._followed += own
        account = self._accounts.get(function)
        if account is not None:
            account.calls += 1
            account.taken += taken
        elif taken >= _LONG:
            self._accounts[function] = _Account(taken=taken)

    def pays(self, function: code.Function, run: int, shape: Callable[[], int]) -> bool:
        """Whether a call of a function should be looked at, to know it, or else to keep it. `shape` tells what it looks
        like from outside: as long as the function has not paid, there must have been such a call in another run.
        """
        account = self._accounts.get(function)
        if account is None or self._is_free:
            return account is not None
        if account.saved and not account.debt:
            return True
        if len(account.shapes) < _SHAPES and account.shapes.setdefault(shape(), run) == run:
            return False
        if account.calls < account.next or account.spent * _OF_FUNCTION > account.taken:
            return False
        allowed = self._followed // _SHARE + self._saved // _OF_SAVED
        return self._debt * _DEAR * account.calls <= allowed * min(account.taken, _DEAR * account.calls)

    def spend(self, function: code.Function, parts: int, *, is_kept: bool) -> bool:
        """Note that a call was not known, and how many parts that took; whether those before it may yet be found."""
        account = self._accounts[function]
        account.failed += 1
        account.kept += is_kept
        account.spoilt += not is_kept
        never = account.spoilt >= _SPOILT and not account.kept
        account.next = account.calls + (_NEVER if never else min(account.failed**2 // 8, _LONGEST_WAIT))
        self._change(account, parts // _PARTS + 2, 0)
        return self._is_free or account.failed % _PATIENCE != 0

    def save(self, function: code.Function, parts: int, taken: int) -> None:
        """Note that a call was known, which would have taken so many statements."""
        account = self._accounts[function]
        account.failed = account.next = 0
        self._change(account, parts // _PARTS + 2, taken)

    def _change(self, account: _Account, spent: int, saved: int) -> None:
        before = account.debt
        account.spent += spent
        account.saved += saved
        self._saved += saved
        self._debt += account.debt - before
