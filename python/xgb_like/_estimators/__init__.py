# SPDX-License-Identifier: Apache-2.0
"""Estimators for scikit-learn."""
