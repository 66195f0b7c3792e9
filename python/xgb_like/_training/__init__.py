# SPDX-License-Identifier: Apache-2.0
"""Training and cross-validation, and what may happen between rounds."""
