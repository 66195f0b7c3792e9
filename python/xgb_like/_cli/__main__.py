# SPDX-License-Identifier: Apache-2.0
"""Runs the command as ``python -m xgb_like._cli``."""

import sys

from ._main import main

sys.exit(main())
