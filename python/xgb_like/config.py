# SPDX-License-Identifier: Apache-2.0
"""Settings of the current thread: what is reported, and defaults for calls."""

from ._base._config import config_context, config_doc, get_config, set_config

__all__ = ["config_context", "config_doc", "get_config", "set_config"]
