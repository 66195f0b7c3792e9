# SPDX-License-Identifier: Apache-2.0
"""Models in forms that run without this package."""
