# SPDX-License-Identifier: Apache-2.0
"""Where workers of one training meet, which is not here: the error says what there is in its place."""

from ._base._not_here import absent_module

__all__ = []

raise absent_module(__name__)
