# SPDX-License-Identifier: Apache-2.0
"""Callbacks that report to other libraries."""
