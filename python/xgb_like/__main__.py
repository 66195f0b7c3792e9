# SPDX-License-Identifier: Apache-2.0
"""Runs the command line as ``python -m xgb_like``."""

import sys

from ._cli import main

if __name__ == "__main__":  # tools that list modules import this one, too
    sys.exit(main())
