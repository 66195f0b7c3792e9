# SPDX-License-Identifier: Apache-2.0
"""Settings that hold for the current thread: what is reported, and what holds where calls do not say otherwise."""

from ._base._config import config_context, config_doc, get_config, set_config

__all__ = ["config_context", "config_doc", "get_config", "set_config"]
