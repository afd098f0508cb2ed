"""What can be reached from each node of a graph, such as all that a module imports, directly or through others."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping


class Closures:
    """The nodes that can be reached from a node, with itself. Nodes of a ring share one answer, the same object."""

    def __init__(self, edges: Mapping[str, Iterable[str]], growing: Collection[str] = frozenset()) -> None:
        """`growing` are the nodes that may yet get edges: whoever adds one has to say that it has `grown`."""
        self._edges = edges
        self._growing = growing
        self._found: dict[str, frozenset[str]] = {}
        self._for_now: set[str] = set()
        """Those of them from which a node is reached that may get edges."""

    def grown(self) -> None:
        """There is another edge from a node that was growing."""
        for node in self._for_now:
            del self._found[node]
        self._for_now.clear()

    def of(self, start: str) -> frozenset[str]:
        """All that can be reached from a node."""
        if start not in self._found:
            self._search(start)
        return self._found[start]

    def of_all(self, starts: Iterable[str]) -> frozenset[str]:
        """All that can be reached from any of some nodes."""
        found = set[str]()
        largest = frozenset[str]()
        for start in starts:
            if start not in found:
                largest = max(largest, self.of(start), key=len)
                found |= self.of(start)
        return largest if len(largest) == len(found) else frozenset(found)

    def _search(self, start: str) -> None:
        """Tarjan's algorithm, without recursion: what is reached from a ring is what is reached from its members."""
        index = {start: 0}
        lowest = {start: 0}
        waiting = [start]
        path = [(start, iter(self._after(start)))]
        while path:
            node, others = path[-1]
            other = next((each for each in others if each not in self._found), None)
            if other is None:
                path.pop()
                if path:
                    outer = path[-1][0]
                    lowest[outer] = min(lowest[outer], lowest[node])
                if lowest[node] == index[node]:
                    self._close(node, waiting)
            elif other in index:
                lowest[node] = min(lowest[node], index[other])
            else:
                index[other] = lowest[other] = len(index)
                waiting.append(other)
                path.append((other, iter(self._after(other))))

    def _after(self, node: str) -> tuple[str, ...]:
        return tuple(self._edges.get(node, ()))

    def _close(self, node: str, waiting: list[str]) -> None:
        """Note what is reached from the ring that begins with a node; it has no other ring around it."""
        ring: list[str] = []
        while not ring or ring[-1] != node:
            ring.append(waiting.pop())
        others = (self._found[each] for member in ring for each in self._after(member) if each in self._found)
        found = frozenset(ring).union(*others)
        self._found.update(dict.fromkeys(ring, found))
        if not found.isdisjoint(self._growing):
            self._for_now.update(ring)
