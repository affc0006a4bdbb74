"""What the tests with a real service share. `SVC_TEST_SERVICE` tells of it, as JSON; without it none of these run."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator

import pytest

from svc.client import Client

from .running import Service

GIVEN = "SVC_TEST_SERVICE"
if GIVEN not in os.environ:
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(scope="session")
def service() -> Service:
    return Service(**json.loads(os.environ[GIVEN]))


@pytest.fixture
def client(service: Service) -> Iterator[Client]:
    with service.client() as made:
        yield made


@pytest.fixture
def new_stream(service: Service, client: Client) -> Callable[[], str]:
    """Make a stream, and return its id."""

    def make() -> str:
        return client.create_stream({"system_id": service.system_id, "use_case": "builds", "policy_id": "default"})[
            "stream_id"
        ]

    return make
