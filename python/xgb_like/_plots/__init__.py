# SPDX-License-Identifier: Apache-2.0
"""Pictures, one a file. matplotlib and graphviz are imported when a picture is drawn, never before."""
