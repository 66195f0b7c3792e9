# SPDX-License-Identifier: Apache-2.0
"""What all other packages stand on: errors, messages, settings, checks of arguments, optional libraries."""
