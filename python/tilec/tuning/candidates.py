"""Candidates: dictionaries of parameters."""
from __future__ import annotations

import itertools
from typing import Any, Callable, Iterable, Iterator, Mapping, Optional, Sequence, Union

Parameters = dict[str, Any]
Predicate = Callable[..., bool]
Candidates = Union[Mapping[str, Sequence[Any]], Iterable[Mapping[str, Any]]]


def grid(**choices: Sequence[Any]) -> Iterator[Parameters]:
    """Every combination of the choices, the last one varying fastest."""
    for name, values in choices.items():
        if not isinstance(values, Iterable):
            raise TypeError(f"the choices of {name} are a sequence, not {values!r}")
    for values in itertools.product(*choices.values()):
        yield dict(zip(choices, values))


def list_candidates(candidates: Candidates, where: Optional[Union[Predicate, Sequence[Predicate]]]
                    ) -> list[Parameters]:
    """The candidates for which all predicates hold, each once, in their order.

    A mapping is a grid of choices. Predicates get the parameters by name."""
    listed = grid(**candidates) if isinstance(candidates, Mapping) else map(dict, candidates)
    predicates = [] if where is None else [where] if callable(where) else list(where)
    kept: list[Parameters] = []
    for parameters in listed:
        if parameters not in kept and all(holds(**parameters) for holds in predicates):
            kept.append(parameters)
    return kept
