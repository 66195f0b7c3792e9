# SPDX-License-Identifier: Apache-2.0
"""The booster: a model, its parameters, files and predictions."""
