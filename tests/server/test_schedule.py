"""When which document is checked, with a worker that is made up."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from ddl_lint_server.messages import Answer, Check, Checked, Outcome, Request, Text, Workspace
from ddl_lint_server.schedule import Schedule
from ddl_lint_server.worker import Died, Snapshot, TookTooLong, WorkerError

SCOPE = "/project"


class Desk:
    """Open texts, a worker that answers when it is told to, and what was told about findings."""

    def __init__(self) -> None:
        self.stamps: dict[str, int] = {}
        self.asked: list[Check] = []
        self.told: list[tuple[str, int]] = []
        self.log: list[str] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.answer: Callable[[Check, Snapshot], Answer] = self.outcome
        self.schedule = Schedule(self.ask, self.snapshot, self.tell, self.log.append)
        self.schedule.debounce = 0.01

    def write(self, path: str, *, is_new: bool = False) -> None:
        self.stamps[path] = max(self.stamps.values(), default=0) + 1
        self.schedule.changed(path, self.stamps[path], is_new=is_new)

    def close(self, path: str) -> None:
        del self.stamps[path]
        self.schedule.closed(path)

    def snapshot(self) -> Snapshot:
        return Snapshot({path: Text(stamp, "", True) for path, stamp in self.stamps.items()}, Workspace(), 0)

    async def ask(self, request: Request, snapshot: Snapshot) -> Answer:
        assert isinstance(request, Check)
        self.asked.append(request)
        await self.gate.wait()
        return self.answer(request, snapshot)

    def outcome(self, request: Check, snapshot: Snapshot) -> Answer:
        paths = [request.path] if request.alone else list(snapshot.texts)
        return Outcome({path: Checked(snapshot.texts[path].stamp, "", ()) for path in paths}, SCOPE)

    def tell(self, path: str, checked: Checked) -> None:
        self.told.append((path, checked.stamp))

    async def rest(self) -> None:
        """Until nothing is left to do."""
        for path in tuple(self.stamps):
            await asyncio.wait_for(self.schedule.latest(path, complete=True), 20)


Scenario = Callable[[Desk], Awaitable[None]]


def play(scenario: Scenario) -> Desk:
    async def played() -> Desk:
        desk = Desk()
        desk.schedule.start()
        try:
            await asyncio.wait_for(scenario(desk), 30)
        finally:
            desk.schedule.stop()
        return desk

    return asyncio.run(played())


def test_a_first_text_is_checked_alone_and_then_in_its_project():
    async def scenario(desk: Desk) -> None:
        desk.write("a", is_new=True)
        await desk.rest()
        assert desk.asked == [Check("a", True), Check("a", False)]
        desk.write("a")
        await desk.rest()
        assert desk.asked[2:] == [Check("a", False)]

    assert play(scenario).told == [("a", 1), ("a", 1), ("a", 2)]


def test_many_changes_are_one_check():
    async def scenario(desk: Desk) -> None:
        desk.write("a", is_new=True)
        await desk.rest()
        for _ in range(50):
            desk.write("a")
        await desk.rest()
        assert len(desk.asked) == 3

    assert play(scenario).told[-1] == ("a", 51)


def test_a_result_for_a_text_that_is_gone_is_not_told():
    async def scenario(desk: Desk) -> None:
        desk.write("a", is_new=True)
        await desk.rest()
        desk.gate.clear()
        desk.write("a")
        while len(desk.asked) < 3:
            await asyncio.sleep(0.005)
        desk.write("a")
        desk.gate.set()
        await desk.rest()

    assert [stamp for _, stamp in play(scenario).told] == [1, 1, 3]


def test_a_result_for_a_closed_document_is_not_told():
    async def scenario(desk: Desk) -> None:
        desk.gate.clear()
        desk.write("a", is_new=True)
        while not desk.asked:
            await asyncio.sleep(0.005)
        waiting = asyncio.ensure_future(desk.schedule.latest("a"))
        await asyncio.sleep(0)
        desk.close("a")
        assert await waiting is None
        desk.gate.set()
        desk.write("b", is_new=True)
        await desk.rest()

    assert {path for path, _ in play(scenario).told} == {"b"}


def test_a_document_that_was_closed_and_opened_again_gets_nothing_from_before():
    async def scenario(desk: Desk) -> None:
        desk.gate.clear()
        desk.write("a", is_new=True)
        while not desk.asked:
            await asyncio.sleep(0.005)
        desk.schedule.closed("a")
        desk.schedule.changed("a", 1, is_new=True)  # even if the stamp were the same
        desk.gate.set()
        await desk.rest()
        assert len(desk.asked) == 3

    play(scenario)


def test_a_change_refreshes_the_others_of_the_project():
    async def scenario(desk: Desk) -> None:
        desk.write("a", is_new=True)
        desk.write("b", is_new=True)
        await desk.rest()
        desk.told.clear()
        desk.write("a")
        assert not desk.schedule.is_complete("b") and desk.schedule.known("b") is not None
        await desk.rest()
        assert set(desk.told) == {("a", 3), ("b", 2)}

    play(scenario)


def test_who_is_in_a_hurry_does_not_wait_for_the_debounce():
    async def scenario(desk: Desk) -> None:
        desk.write("a", is_new=True)
        await desk.rest()
        desk.schedule.debounce = 3600
        desk.write("a")
        checked = await desk.schedule.latest("a", hurry=True)
        assert checked is not None and checked.stamp == 2

    play(scenario)


def test_a_project_that_takes_too_long_is_given_up_until_something_changes():
    async def scenario(desk: Desk) -> None:
        def answer(request: Check, snapshot: Snapshot) -> Answer:
            if not request.alone:
                raise TookTooLong("it took more than 60 seconds")
            return desk.outcome(request, snapshot)

        desk.answer = answer
        desk.write("a", is_new=True)
        await desk.rest()
        desk.write("a")
        await desk.rest()
        assert [check.alone for check in desk.asked] == [True, False, True]
        assert "is not checked as a whole: it took more than 60 seconds" in desk.log[0]
        desk.answer = desk.outcome
        desk.schedule.everything()
        await desk.rest()
        assert not desk.asked[-1].alone

    assert play(scenario).told


def test_a_quick_project_that_becomes_slow_is_given_up_too():
    async def scenario(desk: Desk) -> None:
        desk.write("a", is_new=True)
        await desk.rest()

        def answer(request: Check, snapshot: Snapshot) -> Answer:
            if not request.alone:
                raise TookTooLong("it took more than 60 seconds")
            return desk.outcome(request, snapshot)

        desk.answer = answer
        desk.write("a")
        await desk.rest()
        assert [check.alone for check in desk.asked[2:]] == [False, True, False]

    assert play(scenario).told[-1] == ("a", 2)


def test_a_project_that_the_worker_does_not_survive_is_checked_file_by_file():
    async def scenario(desk: Desk) -> None:
        def answer(request: Check, snapshot: Snapshot) -> Answer:
            if not request.alone:
                raise Died("the checking process does not survive it")
            return desk.outcome(request, snapshot)

        desk.answer = answer
        desk.write("a", is_new=True)
        await desk.rest()
        desk.write("a")
        await desk.rest()
        assert [check.alone for check in desk.asked] == [True, False, True]

    desk = play(scenario)
    assert desk.told == [("a", 1), ("a", 2)] and "is not checked as a whole" in desk.log[0]


@pytest.mark.parametrize("scope", [SCOPE, ""])
def test_a_document_that_the_worker_does_not_survive_is_left_alone_in_the_end(scope: str):
    async def scenario(desk: Desk) -> None:
        def answer(request: Check, snapshot: Snapshot) -> Answer:
            if request.path == "deadly" and snapshot.texts["deadly"].stamp > 1:
                raise Died("the checking process does not survive it")
            paths = [request.path] if request.alone or not scope else list(snapshot.texts)
            return Outcome({path: Checked(snapshot.texts[path].stamp, "", ()) for path in paths}, scope)

        desk.answer = answer
        desk.write("deadly", is_new=True)
        await desk.rest()
        for _ in range(20):
            desk.write("deadly")
            await desk.rest()
        # Once for the whole project, if there is one, and three times for the file.
        assert sum(check.path == "deadly" for check in desk.asked) == (6 if scope else 4)
        known = desk.schedule.known("deadly")
        assert known is not None and "has ended over it 3 times; open it again to retry" in known.found[0].message

        desk.write("harmless", is_new=True)
        await desk.rest()
        known = desk.schedule.known("harmless")
        assert known is not None and not known.found

        asked = len(desk.asked)
        desk.close("deadly")
        desk.write("deadly", is_new=True)
        await desk.rest()
        assert len(desk.asked) > asked

    play(scenario)


@pytest.mark.parametrize("error", [WorkerError("no process"), TookTooLong("too long"), ValueError("ours")])
def test_a_document_that_cannot_be_checked_says_so(error: Exception):
    async def scenario(desk: Desk) -> None:
        def answer(request: Check, snapshot: Snapshot) -> Answer:
            raise error

        desk.answer = answer
        desk.write("a", is_new=True)
        await desk.rest()
        checked = desk.schedule.known("a")
        assert checked is not None
        (found,) = checked.found
        assert found.message.startswith("ddl-lint could not check this file: ")

    play(scenario)


def test_nothing_is_checked_before_the_start():
    async def played() -> None:
        desk = Desk()
        desk.schedule.debounce = 0
        desk.write("a", is_new=True)
        for _ in range(100):
            await asyncio.sleep(0)
        assert not desk.asked
        desk.schedule.start()
        await desk.rest()
        assert desk.asked
        desk.schedule.stop()

    asyncio.run(played())


def test_a_first_check_that_takes_long_is_told():
    async def scenario(desk: Desk):
        desk.schedule.patience = 0.01
        desk.gate.clear()
        desk.write("a", is_new=True)
        meanwhile = await desk.schedule.latest("a")
        assert meanwhile is not None and "still checking" in meanwhile.found[0].message
        assert not desk.schedule.is_complete("a")
        desk.gate.set()
        await desk.rest()
        assert desk.schedule.known("a") == Checked(1, "", ())
        desk.gate.clear()
        desk.write("a")
        await asyncio.sleep(0.2)  # what was found in the text before is still shown
        assert desk.told.count(("a", 2)) == 0
        desk.gate.set()
        await desk.rest()

    desk = play(scenario)
    assert [each.alone for each in desk.asked] == [True, False, False]


def test_a_check_that_fails_after_it_was_told_that_it_takes_long():
    async def scenario(desk: Desk):
        def answer(request: Check, snapshot: Snapshot) -> Answer:
            raise TookTooLong("it took more than 60 seconds")

        desk.schedule.patience = 0.01
        desk.answer = answer
        desk.gate.clear()
        desk.write("a", is_new=True)
        await desk.schedule.latest("a")
        desk.gate.set()
        await desk.rest()
        known = desk.schedule.known("a")
        assert known is not None and "could not check this file" in known.found[0].message

    play(scenario)


def test_while_a_check_takes_long_the_last_text_answers():
    async def scenario(desk: Desk) -> None:
        desk.schedule.grace = 0.0
        desk.write("a", is_new=True)
        await desk.rest()
        desk.gate.clear()
        desk.write("a")
        assert desk.schedule.known("a") is None
        known = await desk.schedule.soon("a")
        assert known == desk.schedule.last("a") == Checked(2, "", ())
        desk.gate.set()
        await desk.rest()
        assert await desk.schedule.soon("a") is desk.schedule.known("a") is desk.schedule.last("a")

    play(scenario)


def test_a_first_check_is_waited_for():
    async def scenario(desk: Desk) -> None:
        desk.schedule.grace = 0.0
        desk.gate.clear()
        for name in ("a.py", "b.ipynb"):
            desk.write(name, is_new=True)
        waiting = {name: asyncio.ensure_future(desk.schedule.soon(name)) for name in desk.stamps}
        while not desk.asked:
            await asyncio.sleep(0.005)
        assert [desk.schedule.last(name) for name in desk.stamps] == [None, None]
        desk.gate.set()
        assert [(await waiting[name]).stamp for name in desk.stamps] == [1, 2]
        await desk.rest()
        desk.gate.clear()
        desk.asked.clear()
        desk.write("b.ipynb")
        waiting["b.ipynb"] = asyncio.ensure_future(desk.schedule.soon("b.ipynb"))
        while not desk.asked:
            await asyncio.sleep(0.005)
        assert desk.schedule.last("b.ipynb") is None, "cells may have come and gone"
        desk.close("b.ipynb")
        assert await waiting["b.ipynb"] is None

    play(scenario)


def test_what_could_not_be_checked_says_nothing_about_the_next_text():
    async def scenario(desk: Desk) -> None:
        def fails(request: Check, snapshot: Snapshot) -> Answer:
            raise WorkerError("out of order")

        desk.answer = fails
        desk.write("a", is_new=True)
        await desk.rest()
        assert desk.schedule.known("a") is not None
        desk.gate.clear()
        desk.write("a")
        assert desk.schedule.last("a") is None

    play(scenario)
