# SPDX-License-Identifier: Apache-2.0
"""Pictures, one per file. matplotlib and graphviz are imported when a picture is drawn, never before."""
