# SPDX-License-Identifier: Apache-2.0
"""``xgb-like train``."""

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np

from .. import _core
from .._base._exceptions import DataError
from .._base._typing import Bools, EvalsLog
from .._data._matrix import DMatrix
from .._model._booster import Booster
from .._model._params import to_text
from .._training._train import train
from ._arguments import (
    CONSTRAINTS,
    DATA_HELP,
    add_data_options,
    add_threads,
    command,
    pairs,
    share,
    size_of,
    whole_from,
)
from ._columns import ExpectedFeatures
from ._matrices import Loaded, load
from ._output import Progress
from ._task import TASKS, Facts, encode, guess_task, need_queries, task_of

_TEXT = """\
Train a model on a table.

Every column but the label is a feature. Columns of text become categories, but for those of which
few texts come again, such as an id: they are left out. Dates become numbers of days, empty cells
missing values; so do the few texts in a column of numbers. What is to be learnt is guessed from
the label. All guesses are said, and options take their place. A fifth of the rows is held out (of
each class alike, queries as a whole), and training stops when the model no longer gets better on
them; the file has the rounds up to the best one. It has how columns were read, too: the other
commands read their files in the same way. XGBoost reads it, too, if it has the objective.
"""
_EXAMPLES = """\
  xgb-like train houses.csv --label price
  xgb-like train mail.parquet --label spam -p max_depth=8 -p eta=0.05 -o spam.json
  xgb-like train jan.csv --label sales --valid feb.csv -p objective=count:poisson
  xgb-like train search.csv --label relevance --query query_id
  xgb-like train loans.csv --drop id,name --as-date issued --dates mdy --na unknown
  xgb-like train a9a.libsvm --rounds 200 --early-stopping 0
  xgb-like train cars.csv -p 'monotone_constraints={"mileage": -1, "seats": 1}'
"""
_LEARNING_RATE = "0.1"  # smaller than the library's, as early stopping finds the number of rounds
_CHANGING = ("gblinear", "dart")  # boosters whose rounds change those before, so that a model cannot be cut back


def add_to(commands: Any) -> None:
    parser = command(commands, "train", _TEXT, _EXAMPLES, run)
    add = parser.add_argument
    add("data", metavar="DATA", help=DATA_HELP)
    add("-o", "--output", default="model.ubj", metavar="FILE", help="the model, .ubj or .json (%(default)s)")
    add("-q", "--quiet", action="store_true", help="print errors only")
    add = parser.add_argument_group("what to learn").add_argument
    add("--label", metavar="COLUMN", help="by name or number; usual names are found, else the last column")
    add("--task", choices=TASKS, help="in place of a guess")
    add("--weight", metavar="COLUMN", help="weights of the rows")
    add("--query", metavar="COLUMN", help="for ranking: which rows are to be ranked together")
    group = parser.add_argument_group("how to learn")
    add = group.add_argument
    add(
        "-p", "--param", action="append", default=[], metavar="NAME=VALUE",
        help="a parameter, may be repeated; `xgb-like params` lists them",
    )  # fmt: skip
    add("--rounds", type=whole_from(1), default=1000, metavar="N", help="at most (%(default)s)")
    add(
        "--early-stopping", type=whole_from(0), default=50, metavar="N",
        help="stop after N rounds that are no better, 0 for never (%(default)s)",
    )  # fmt: skip
    add("--valid", metavar="FILE", help="rows to measure on, in place of some of DATA")
    add("--holdout", type=share, default=0.2, metavar="SHARE", help="of DATA, to measure on (%(default)s)")
    add("--seed", type=whole_from(0), default=0, metavar="N", help="of what is drawn by chance (%(default)s)")
    add_threads(group)  # type: ignore[arg-type]
    add = parser.add_argument_group("what columns are, in place of a guess (a,b, or repeated)").add_argument
    for option, name, text in (
        ("--keep", "learn_from", "learn from columns of texts, though few of the texts come again"),
        ("--as-category", "as_category", "take the cells as they stand, numbers, too"),
        ("--as-date", "as_date", "take texts, and numbers such as 20250131, as dates; what is none is missing"),
        ("--as-number", "as_number", "take texts as numbers; what is none is missing"),
    ):
        add(option, dest=name, action="append", default=[], metavar="COLUMN", help=text)
    add_data_options(parser)


def run(args: argparse.Namespace) -> None:
    say: Any = (lambda *_: None) if args.quiet else print
    output = Path(args.output).expanduser()
    if output.suffix not in (".ubj", ".json"):
        raise DataError(f"`--output` must end in .ubj or .json; got {args.output!r}.")
    if not output.parent.is_dir():
        raise DataError(f"`--output`: there is no folder {str(output.parent)!r}.")
    probe = _probe(pairs(args.param))
    given = dict(probe.given_params())  # by their names in the engine
    objective = probe.objective() if "objective" in given else None
    loaded = load(args.data, args, label=args.label, required=True)
    task, facts = _prepare(loaded, args, objective, say)
    train_set, held_out = _parts(loaded, args, task, facts)
    say(f"measured on  {held_out.num_row():,} {'rows of ' + args.valid if args.valid else 'rows that are held out'}")
    params = _params(args, given, task, facts)
    hidden = ("nthread", "eval_metric")
    say("parameters   " + ", ".join(f"{name}={value}" for name, value in params if name not in hidden))
    log: EvalsLog = {}
    metrics = _probe(params).metric_names()
    began = time.perf_counter()
    model = train(
        params,
        train_set,
        args.rounds,
        evals=[(train_set, "train"), (held_out, "held-out")],
        evals_result=log,
        early_stopping_rounds=args.early_stopping or None,
        verbose_eval=False,
        callbacks=[] if args.quiet else [Progress(metrics[-2:])],
    )
    _report(model, log, time.perf_counter() - began, say)
    model = _up_to_best(model, params, train_set, say)
    facts.store(model)
    model.save_model(output)
    say(f"saved {output} ({model.num_boosted_rounds()} rounds, {size_of(output)})")


def _probe(params: list[tuple[str, Any]]) -> _core.Booster:
    """Return a booster with parameters, whose messages are not handed on: training will have them.

    It has no data, so that constraints by name are left to the training, too.
    """
    probe = _core.Booster()
    probe.set_params(
        to_text((name, value) for name, value in params if name not in CONSTRAINTS or isinstance(value, str))
    )
    return probe


def _prepare(loaded: Loaded, args: argparse.Namespace, objective: str | None, say: Any) -> tuple[str, Facts]:
    """Decide what to learn, say so, and give the matrix its label."""
    matrix, label = loaded.matrix, loaded.label
    if label is None:
        raise DataError("There is no label: name its column by --label.")
    has_queries = bool(len(matrix.get_uint_info("group_ptr")))
    if args.task:
        task, why = args.task, "as told"
    elif objective is not None:
        task, why = task_of(objective), f"by the objective {objective}"
    else:
        task, why = guess_task(label, has_queries)
        why += " (--task for another)"
    if task == "ranking":
        need_queries(matrix)
    values, classes = encode(label, task)
    matrix.set_label(values)
    cells = max(matrix.num_row() * matrix.num_col(), 1)
    count = (matrix.feature_types or []).count("c")
    features = f"{matrix.num_col():,} features" + (f" ({count} of categories)" if count else "")
    say(f"data         {args.data}: {matrix.num_row():,} rows, {features}, "
        f"{100 * (1 - matrix.num_nonmissing() / cells):.1f} % of cells missing")  # fmt: skip
    guessed = "" if args.label or not matrix.feature_names else " (--label for another)"
    say(f"label        {loaded.label_name}: {_label_text(values, classes)}{guessed}")
    say(f"task         {TASKS[task].name}: {why}")
    for note in loaded.notes:
        say(note)
    facts = Facts(
        task, loaded.label_name, classes, args.query or "", loaded.decimal, loaded.missing, loaded.dates, args.na,
        args.encoding or "",
    )  # fmt: skip
    return task, facts


def _label_text(values: Any, classes: list[str]) -> str:
    if not classes:
        return f"{np.min(values):g} to {np.max(values):g}, {np.mean(values):g} on average"
    shares = np.bincount(values.astype(np.int64)) / len(values)
    shown = ", ".join(f"{name} {100 * part:.1f} %" for name, part in zip(classes[:6], shares, strict=False))
    return shown + (f" and {len(classes) - 6} more classes" if len(classes) > 6 else "")


def _parts(loaded: Loaded, args: argparse.Namespace, task: str, facts: Facts) -> tuple[DMatrix, DMatrix]:
    """Return the rows to train on and those to measure on."""
    matrix = loaded.matrix
    if args.valid:
        is_text = loaded.label is not None and loaded.label.labels is not None
        known, label = ExpectedFeatures.of(matrix, facts), loaded.label_name
        other = load(args.valid, args, known=known, label=label, label_is_text=is_text, required=True)
        if other.label is None:
            raise DataError(f"{args.valid!r} has no label.")
        other.matrix.set_label(encode(other.label, task, facts.classes or None)[0])
        return matrix, other.matrix
    rng = np.random.default_rng(args.seed)
    starts: Any = matrix.get_uint_info("group_ptr")
    if len(starts):  # whole queries
        sizes = np.diff(starts.astype(np.int64))
        drawn = np.zeros(len(sizes), dtype=bool)
        drawn[rng.permutation(len(sizes))[: round(args.holdout * len(sizes))]] = True
        chosen = np.repeat(drawn, sizes)
    else:
        chosen = _rows(matrix, task, args.holdout, rng)
    if not chosen.any() or chosen.all():
        raise DataError(f"{matrix.num_row()} rows are too few to hold some out; use --valid FILE.")
    return matrix.slice(~chosen, allow_groups=True), matrix.slice(chosen, allow_groups=True)


def _rows(matrix: DMatrix, task: str, part: float, rng: np.random.Generator) -> Bools:
    """Draw rows, the same share of each class."""
    kinds = matrix.get_label() if task in ("binary", "multiclass") else np.zeros(matrix.num_row())
    order = rng.permutation(matrix.num_row())
    order = order[np.argsort(kinds[order], kind="stable")]  # by class, at random within each
    position = np.arange(len(order))
    chosen = np.zeros(len(order), dtype=bool)
    chosen[order] = np.floor((position + 1) * part) > np.floor(position * part)
    return chosen


def _params(args: argparse.Namespace, given: dict[str, str], task: str, facts: Facts) -> list[tuple[str, Any]]:
    objective = given.get("objective", TASKS[task].objective)
    usual: dict[str, Any] = {"objective": objective, "learning_rate": _LEARNING_RATE}
    usual |= {"seed": args.seed, "nthread": args.nthread}
    if task == task_of(objective) == "multiclass":
        usual["num_class"] = len(facts.classes)
    if not given.keys() & {"objective", "eval_metric"}:
        usual["eval_metric"] = TASKS[task].watched
    return [*((name, value) for name, value in usual.items() if name not in given), *pairs(args.param)]


def _up_to_best(model: Booster, params: list[tuple[str, Any]], train_set: DMatrix, say: Any) -> Booster:
    """Return the model as it was after the best round."""
    best, rounds = model.attr("best_iteration"), model.num_boosted_rounds()
    if best is None:
        return model
    if int(best) + 1 < rounds and model._handle.params()["boosting"]["booster"] in _CHANGING:
        say(f"trained again up to round {int(best) + 1}, as later rounds have changed what was learnt before")
        model = train(params, train_set, int(best) + 1, verbose_eval=False)
    model = model._best()
    model.set_attr(best_iteration=None, best_score=None)
    return model


def _report(model: Booster, log: EvalsLog, seconds: float, say: Any) -> None:
    rounds = len(next(iter(log["held-out"].values())))
    best = model.best_iteration if model.attr("best_iteration") is not None else rounds - 1
    scores = ", ".join(f"{metric} {values[best]:.5g}" for metric, values in log["held-out"].items())
    say(f"{rounds} rounds took {seconds:.1f} s; after round {best + 1}, the {'best' if best + 1 < rounds else 'last'},")
    say(f"the held-out rows have {scores}")
