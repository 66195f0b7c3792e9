"""Exact greedy training against histograms of our own: what exact splits cost."""

from ..jobs import fit
from ..peers import OURS, OURS_BY_HISTOGRAMS
from ..suite import Measure, Suite
from . import exact

SUITE = Suite(
    title="Exact greedy training beside `tree_method=hist` of our own (fit = matrix construction + training)",
    cases=tuple(case for case in exact.SUITE.cases if not case.name.startswith("one_hot")),
    peers=(OURS, OURS_BY_HISTOGRAMS),
    job=fit,
    measures=(
        Measure("seconds", "Fit, seconds", ".3f"),
        Measure("loss", "Log loss on held-out rows", ".5f", compare="percent"),
    ),
    number_of_turns=5,
)
