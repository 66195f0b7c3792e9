# SPDX-License-Identifier: Apache-2.0
"""Communication between processes, as it is for a single process: there is nobody to talk to."""

import platform
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum, unique
from typing import Any, TypeVar

import numpy as np

from ._base._exceptions import ParameterError, whole
from ._base._typing import Array

__all__ = [
    "CommunicatorContext",
    "Config",
    "Op",
    "allreduce",
    "broadcast",
    "communicator_print",
    "finalize",
    "get_processor_name",
    "get_rank",
    "get_world_size",
    "init",
    "is_distributed",
    "signal_error",
]

_T = TypeVar("_T")


@unique
class Op(IntEnum):
    """How to combine values of several processes."""

    MAX = 0
    MIN = 1
    SUM = 2
    BITWISE_AND = 3
    BITWISE_OR = 4
    BITWISE_XOR = 5


@dataclass
class Config:
    """Settings of communication.

    Attributes
    ----------
    retry
        How often to try again.
    timeout
        Seconds to wait for others.
    tracker_host_ip, tracker_port, tracker_timeout
        Where the tracker is, and how long to wait for it.
    worker_port
        The port of each worker, or a function that returns it.
    """

    retry: int | None = None
    timeout: int | None = None
    tracker_host_ip: str | None = None
    tracker_port: int | None = None
    tracker_timeout: int | None = None
    worker_port: Callable[[], int] | int | None = None

    def update_worker_args(self, args: dict[str, Any]) -> dict[str, Any]:
        """Add what concerns a worker to arguments of :func:`init`, and return them."""
        if self.worker_port is not None:
            args["dmlc_worker_port"] = self.worker_port() if callable(self.worker_port) else self.worker_port
        return args

    def get_comm_config(self, args: dict[str, Any]) -> dict[str, Any]:
        """Add what concerns communication to arguments of :func:`init`, and return them."""
        given = {"dmlc_retry": self.retry, "dmlc_timeout": self.timeout}
        args.update({name: value for name, value in given.items() if value is not None})
        return args


def init(**args: Any) -> None:
    """Begin to communicate; a tracker, which several processes need, is refused."""
    tracker = [name for name in args if name.lower() in ("dmlc_tracker_uri", "federated_server_address")]
    if tracker:
        raise NotImplementedError(
            f"`{tracker[0]}`: training in several processes is not available. Train in one process, with more threads."
        )


def finalize() -> None:
    """End communication."""


def get_rank() -> int:
    """Return the number of this process: 0."""
    return 0


def get_world_size() -> int:
    """Return how many processes there are: 1."""
    return 1


def is_distributed() -> bool:
    """Return whether there are several processes: False."""
    return False


def communicator_print(msg: Any) -> None:
    """Print a message."""
    print(str(msg).strip(), flush=True)  # noqa: T201  what it is for


def get_processor_name() -> str:
    """Return the name of this machine."""
    return platform.node()


def broadcast(data: _T, root: int) -> _T:
    """Return what the process `root` has, which is `data`."""
    if whole(root, "root") != 0:
        raise ParameterError(f"`root` must be 0, the only process; got {root}.")
    return data


def allreduce(data: Array, op: Op) -> Array:
    """Return the values of all processes combined: a copy of `data`."""
    if not isinstance(data, np.ndarray):
        raise TypeError(f"`data` must be a numpy array; got {type(data).__name__}.")
    Op(op)
    copy: Array = data.copy()
    return copy


def signal_error() -> None:
    """Tell other processes of a failure: there are none."""


class CommunicatorContext:
    """A block of a program that communicates; takes what :func:`init` takes."""

    def __init__(self, **args: Any) -> None:
        self.args = args

    def __enter__(self) -> dict[str, Any]:
        init(**self.args)
        return self.args

    def __exit__(self, *args: object) -> None:
        finalize()
