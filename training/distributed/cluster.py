"""Joining a Ray cluster, or starting one on this machine for as long as it is needed."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import ray

from reichenbach.envs.core.problems import first_line
from reichenbach.training.loop import RunError


class TooSmall(RunError):
    """The cluster has not the processors that were asked for; says how many it has."""


class Lost(OSError):
    """Processes of the cluster are gone, and with them what they were asked for."""


@contextmanager
def answers(advice: str = "") -> Iterator[None]:
    """What is asked of processes inside the block; raises Lost, with the advice, where they are gone."""
    try:
        yield
    except ray.exceptions.RayTaskError:
        raise
    except ray.exceptions.RayError as error:
        raise Lost(f"ray: {type(error).__name__}: {first_line(error)}{advice}") from error


@contextmanager
def joined(address: str | None, processes: int) -> Iterator[None]:
    """Ray is there inside the block; a cluster that was started for it ends with it.

    Args:
        address: of a cluster, as ``ray.init`` takes it; None starts one on this machine alone.
        processes: that will run at once, one processor each. On this machine they may be more than it has.

    Raises:
        TooSmall: the cluster has fewer processors.
        ConnectionError: there is no cluster at the address.
    """
    for name in ("ray", "ray.rllib"):
        logging.getLogger(name).setLevel(logging.ERROR)
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")  # it reports its own habits as errors
    ours = not ray.is_initialized()
    if ours:
        _begin(address, max(os.cpu_count() or 1, processes))
    try:
        found = int(ray.cluster_resources().get("CPU", 0))
        if found < processes:
            raise TooSmall(f"ray: {processes} processes are asked for, but the cluster has {found} processors")
        yield
    finally:
        if ours:
            ray.shutdown()


def _begin(address: str | None, processors: int) -> None:
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address is None:
        ray.init(address="local", num_cpus=processors, include_dashboard=False, **quiet)
        return
    host, _, port = address.rpartition(":")
    try:
        if host and port.isdecimal() and "/" not in host:  # Ray tries for minutes
            socket.create_connection((host, int(port)), timeout=10).close()
        ray.init(address=address, **quiet)
    except Exception as error:  # of several kinds, by what it is that does not answer
        raise ConnectionError(f"ray.address: {address}: {first_line(error)}") from error
