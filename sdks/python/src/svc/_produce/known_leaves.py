"""The leaves that an object shows of its trees, to find where two trees part (section 11)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .._kernel.interface import Kernel
from .._objects.checkpoint import roots_of_hashes
from .proofs import frontier_parts, path_from

Tree = tuple[int, str]


class _Run(NamedTuple):
    """Leaves that follow one another behind a frontier, with the roots of the trees that end in one of them."""

    before: int
    frontier: list[str]
    hashes: list[str]
    roots: dict[int, str]


class ShownLeaf(NamedTuple):
    """Leaf data, and how its path is made."""

    hash: str
    path: Callable[[], list[str]]


class KnownLeaves:
    """The leaves that one object shows."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._single: dict[Tree, dict[int, tuple[str, list[str]]]] = {}
        self._runs: list[_Run] = []

    def add_leaf(self, tree: Tree, index: int, hashed: str, path: list[str]) -> None:
        """Note a leaf of a tree with its path."""
        self._single.setdefault(tree, {})[index] = hashed, path

    def add_run(self, count: int, frontier: list[str], hashes: list[str]) -> None:
        """Note leaves that follow one another behind a frontier."""
        roots = roots_of_hashes(self._kernel, count, frontier, hashes)
        roots.pop(count, None)
        self._runs.append(_Run(count, frontier, hashes, roots))

    def add_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        """Note the windows that a checkpoint lists, where the tree before them is known. In order of checkpoints."""
        size, root = checkpoint["window_count"], checkpoint["checkpoint_root"]
        if any(run.roots.get(size) == root for run in self._runs):
            return
        before = checkpoint["window_roots"][0]["window_no"] - 1
        hashes = [one["window_hash"] for one in checkpoint["window_roots"]]
        for run in reversed(self._runs):
            if run.before + len(run.hashes) == before:
                self.add_run(run.before, run.frontier, [*run.hashes, *hashes])
                return
        if "frontier" in checkpoint or before == 0:
            self.add_run(before, checkpoint.get("frontier", []), hashes)

    def add_anchor(self, anchor: dict[str, Any]) -> None:
        """Note the checkpoints whose places an anchor shows."""
        tree = anchor["log_size"], anchor["epoch_root"]
        for member in anchor["members"]:
            self.add_leaf(tree, member["leaf_index"], member["checkpoint_hash"], member["inclusion_path"])

    def of(self, tree: Tree) -> dict[int, ShownLeaf]:
        """Return the leaves of a tree that the object shows, by their indexes."""
        size, root = tree
        known: dict[int, ShownLeaf] = {}
        runs = [run for run in self._runs if run.roots.get(size) == root]
        for run in runs[-1:]:
            for index, hashed in enumerate(run.hashes[: size - run.before], start=run.before):
                known[index] = ShownLeaf(hashed, lambda run=run, index=index: _path(run, index, size))  # type: ignore[misc]
        for index, (hashed, path) in self._single.get(tree, {}).items():
            leaf = self._kernel.leaf_hashes([bytes.fromhex(hashed)])[0]
            nodes = [bytes.fromhex(one) for one in path]
            if self._kernel.verify_inclusion(leaf, index, size, nodes, bytes.fromhex(root)):
                known[index] = ShownLeaf(hashed, lambda path=path: path)  # type: ignore[misc]
        return known


def _path(run: _Run, index: int, size: int) -> list[str]:
    frontier = [bytes.fromhex(one) for one in run.frontier]
    data = [bytes.fromhex(one) for one in run.hashes[: size - run.before]]
    return path_from(frontier_parts(run.before, frontier, data), index)


def first_divergence(left: KnownLeaves, left_tree: Tree, right: KnownLeaves, right_tree: Tree) -> Any:
    """Return the first place at which two trees are shown to hold other leaf data, as a divergence; None for none."""
    here, there = left.of(left_tree), right.of(right_tree)
    for index in sorted(here.keys() & there.keys()):
        one, other = here[index], there[index]
        if one.hash != other.hash:
            return {
                "index": index,
                "left_hash": one.hash,
                "left_path": one.path(),
                "right_hash": other.hash,
                "right_path": other.path(),
            }
    return None
