# SPDX-License-Identifier: Apache-2.0

"""Arguments that several commands have."""

import argparse
import ast
from pathlib import Path
from typing import Any

from .._base._exceptions import ParameterError
from .._model._booster import Booster
from ._column import name_in_models
from ._meanings import ORDERS
from ._sources import FORMATS

DATA_HELP = "a CSV, Parquet, Arrow or libsvm file, or - for the standard input"
CONSTRAINTS = {
    "monotone_constraints": '{"age": 1, "price": -1}',
    "interaction_constraints": '[["age", "price"], ["rooms", "area"]]',
}


def command(commands: Any, name: str, text: str, examples: str, run: Any) -> argparse.ArgumentParser:
    """Add a command; the first line of its text is what the list of commands says."""
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=text.partition("\n")[0].rstrip(".").lower(),
        description=text,
        epilog=f"examples:\n{examples}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    return parser


def add_data_options(parser: argparse.ArgumentParser) -> None:
    """Add how files are read."""
    add = parser.add_argument_group("how files are read").add_argument
    add("--format", choices=sorted(FORMATS), help="of the data, if its name does not tell")
    add(
        "--header", action=argparse.BooleanOptionalAction,
        help="whether the first line of CSV files has the names of the columns; without, they are f0, f1, ... (as the "
        "lines tell)",
    )  # fmt: skip
    add("--delimiter", metavar="C", help="between the cells of CSV files (, ; | or a tab, as it fits)")
    add("--encoding", metavar="NAME", help="of CSV files, such as cp1252 (UTF-8, or as they tell)")
    add("--decimal", choices=(".", ","), metavar="C", help="before decimals, . or , (as the columns tell)")
    add("--dates", choices=ORDERS, help="what comes first in 03/04/2025 (as the columns tell)")
    add(
        "--na", action="append", default=[], metavar="TEXT",
        help="a missing cell, beside empty ones, NA, ? and the like; may be repeated",
    )  # fmt: skip
    add("--drop", action="append", default=[], metavar="COLUMN", help="leave out columns: a,b, or repeated")


def add_threads(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--nthread", type=int, default=0, metavar="N", help="threads, 0 for all (%(default)s)")


def whole_from(lowest: int) -> Any:
    """Return a reader of whole numbers from some number on."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = lowest - 1
        if value < lowest:
            raise argparse.ArgumentTypeError(f"must be an int >= {lowest}; got {text!r}")
        return value

    return read


def share(text: str) -> float:
    """Read a share, a number above 0 and below 1."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"must be a number above 0 and below 1; got {text!r}")
    return value


def pairs(texts: list[str]) -> list[tuple[str, Any]]:
    """Split each NAME=VALUE."""
    found = []
    for text in texts:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not name or not sign:
            raise ParameterError(f"`--param` takes NAME=VALUE, such as max_depth=8; got {text!r}.")
        found.append((name, _by_name(name, value) if name in CONSTRAINTS else value))
    return found


def _by_name(name: str, text: str) -> Any:
    """Return a constraint that has names of features as the library takes it, with the names that features have."""
    if not any(sign in text for sign in "{'\""):
        return text  # numbers of columns
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        example = CONSTRAINTS[name]
        raise ParameterError(
            f"`--param`: {name} by names is to be written like '{name}={example}'; got {text!r}."
        ) from None
    return _renamed(value)


def _renamed(value: Any) -> Any:
    if isinstance(value, dict):
        return {_renamed(name): sign for name, sign in value.items()}
    if isinstance(value, (list, tuple)):
        return [_renamed(one) for one in value]
    return name_in_models(value) if isinstance(value, str) else value


def load_model(path: str, nthread: int = 0) -> Booster:
    """Return the model of a file; of one that stopped early only the rounds up to the best."""
    return Booster({"nthread": nthread}, model_file=Path(path).expanduser())._best()


def size_of(path: Path) -> str:
    """Return a file's size for people."""
    size = path.stat().st_size
    return f"{size / 1024:.0f} KiB" if size < 2**20 else f"{size / 2**20:.1f} MiB"
