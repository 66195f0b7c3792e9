# SPDX-License-Identifier: Apache-2.0
"""The parser of the command line, and how a command ends."""

import argparse
import functools
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any

from .. import _core
from .._base._exceptions import XgbLikeError
from .._base._unseen import ADVICE
from . import _convert, _demo, _dump, _evaluate, _explain, _listings, _predict, _train

_ABOUT = """\
Gradient-boosted trees from the shell: train on a table, look at what was learnt, predict.

Data are CSV, Parquet, Arrow or libsvm files, compressed by gzip or not; - is the standard input.
What a table's columns are is guessed and said: numbers, dates, categories; options take the place
of guesses, and the model remembers them for later files. Nothing has to be prepared.
"""
_EXAMPLES = """\
examples:
  xgb-like demo                                       see it at work, on generated data
  xgb-like train houses.csv --label price             learn; writes model.ubj
  xgb-like evaluate model.ubj houses_2025.csv         measure on other data
  xgb-like predict model.ubj new.csv -o prices.csv    predict
  xgb-like explain model.ubj new.csv --row 0          why this price?
  xgb-like params max_depth eta                       what do these parameters do?

`xgb-like COMMAND --help` tells more about each.

exit codes: 0 if all went well, 1 after an error, which is told in one line, 2 if the command itself
is wrong, 130 after Ctrl-C.
"""
_MODULES = (_train, _predict, _evaluate, _explain, _dump, _convert, _listings, _demo)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 0, 1 for an error, 2 for wrong arguments, 130 for Ctrl-C."""
    args = parser().parse_args(argv)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            args.run(args)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read the output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (XgbLikeError, NotImplementedError, ImportError, OSError) as error:
        # In one line, without characters that change the terminal. Damaged files may have any.
        text = "".join(c if c.isprintable() else " " if c == "\n" else ascii(c)[1:-1] for c in str(error))
        print(f"xgb-like: {text}", file=sys.stderr)
        return 1
    except MemoryError:
        print("xgb-like: there is not enough memory for this", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("xgb-like: interrupted", file=sys.stderr)
        return 130
    return 0


def parser() -> argparse.ArgumentParser:
    formatter: Any = functools.partial(argparse.RawDescriptionHelpFormatter, max_help_position=16)
    top = argparse.ArgumentParser(prog="xgb-like", description=_ABOUT, epilog=_EXAMPLES, formatter_class=formatter)
    top.add_argument("--version", action="version", version=f"xgb-like {_core.__version__}")
    commands = top.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for module in _MODULES:
        module.add_to(commands)
    return top


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    print(f"xgb-like: warning: {str(message).replace(ADVICE, '').rstrip()}", file=sys.stderr)  # it is about Python
