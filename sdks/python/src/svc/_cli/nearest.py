"""The names that are nearest to a misspelt one, by the letters to insert, delete, exchange or swap."""

from __future__ import annotations

# No name is as long; the rest of a longer word is not looked at, so that no word takes long.
_MAX_CHARACTERS = 64


def nearest(word: str, names: list[str], count: int) -> list[str]:
    """Return so many names, the nearest first; of equals the first. Case, and dashes for underscores, count nothing."""
    start = word[: 4 * _MAX_CHARACTERS].strip().lower().replace("-", "_")[:_MAX_CHARACTERS]
    return sorted(names, key=lambda name: distance(start, name.replace("-", "_")))[:count]


def similar(word: str, names: list[str]) -> list[str]:
    """Return the names that somebody may have meant: those of the least distance, if that is small."""
    best: list[str] = []
    least = 4
    for name in names:
        own, longest = distance(word, name), max(len(word), len(name))
        if own > 3 or (longest - own) / longest <= 0.4 or own > least:
            continue
        best = [*best, name] if own == least else [name]
        least = own
    return sorted(best)


def distance(left: str, right: str) -> int:
    """Return the optimal string alignment distance of two texts."""
    before: list[int] = []
    above = list(range(len(right) + 1))
    for at, letter in enumerate(left):
        row = [at + 1]
        for index, other in enumerate(right):
            least = min(above[index] + (letter != other), above[index + 1] + 1, row[index] + 1)
            if at > 0 and index > 0 and letter == right[index - 1] and left[at - 1] == other:
                least = min(least, before[index - 1] + 1)
            row.append(least)
        before, above = above, row
    return above[-1]
