# SPDX-License-Identifier: Apache-2.0
"""Matrices of data: what tables and columns are read from, and how they are kept."""
