# SPDX-License-Identifier: Apache-2.0
"""How many examples the laws are tried on: few, always the same ones, or with HYPOTHESIS_PROFILE=long many new ones."""

import os

from hypothesis import HealthCheck, settings

# A short run tells of the change under test, not of its luck.
SHORT = settings(
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
    derandomize=True,
    database=None,
)
settings.register_profile("short", SHORT)
settings.register_profile("long", SHORT, max_examples=1000, derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "short"))
