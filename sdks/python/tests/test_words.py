"""What a person reads of a report: the page of `svc`, in 80 columns, in a terminal and in a notebook."""

from __future__ import annotations

import json

import pytest

import svc
from conftest import FIXTURES, read_json
from svc._words.dimensions import holding
from svc._words.text import escape_json, escape_text, grouped_in, shorten, wrap
from test_fixtures import bytes_of

PAGE = """\
VERIFIED   sev_01k30000000000000000001001
           event 1 of str_01k30000000000000000000001
           received 1 March 2026, 00:00 UTC, by the service's clock
           sealed by ed25519-4c869819ecf028ae, which you pinned

  signed     ●  1 receipt signature: it holds
  included   ○  a receipt by itself does not show that the event is in a window
                and a checkpoint
  witnessed  ○  a receipt carries no witness
  published  ○  not in a public log
  anchored   ○  no anchor in this receipt

  Not checked, and can be: what you expect of it (--stream, --from, --to,
  --require).
  It does not show that what the events say is true, complete or lawful; nor
  that the event is still in the stream that others are shown. All that it shows
  and does not, and what was not checked: --all.

"""


def report_of(name: str, trust: object = None) -> svc.Report:
    """Return the report on a fixture, under its own trust unless another is given."""
    case = read_json(FIXTURES / "cases" / f"{name}.json")
    given = case["trust"] if trust is None else trust
    return svc.verify(bytes_of(case), trust=given, kernel="reference")  # type: ignore[arg-type]


def test_a_verified_receipt() -> None:
    page = str(report_of("receipt/good"))
    assert page.startswith(PAGE)
    footer = page.removeprefix(PAGE)
    assert footer.startswith("  verified in ")
    assert footer.endswith("s, offline, kernel reference, svc 0.5.0")


def test_an_untrusted_receipt_offers_no_key_of_the_file() -> None:
    case = read_json(FIXTURES / "cases" / "receipt" / "good.json")
    page = str(report_of("receipt/good", {"signers": []}))
    assert page.startswith("UNTRUSTED  ")
    assert "--public-key-hex <key>" in page
    assert case["trust"]["signers"][0]["public_key_hex"] not in page


@pytest.mark.parametrize(
    "name", ["bundle/good", "bundle/good-vaults", "disclosure/good-sealed", "fork/good-head-two-receipts",
             "receipt/truncated", "bundle/payload-edited", "consistency/good", "anchor/good-published"]
)  # fmt: skip
def test_pages_fit_80_columns(name: str) -> None:
    report = report_of(name)
    lines = str(report).split("\n")
    # Evidence of a fork that holds is a good verdict that is bad news.
    assert lines[0].split()[0] == ("FORK" if report.kind == "fork" else report.verdict.upper())
    assert max(map(len, lines)) <= 80
    assert all(holds for holds, _ in holding(report.to_dict()))


def test_a_fault_of_json_is_shown_by_its_line() -> None:
    page = str(svc.verify(b'{"a": 1,\n "b": tru}', kernel="reference"))
    assert "At byte 18: line 2, byte 10 of that line." in page
    assert "Found there: }" in page
    assert "There the file ends" in str(svc.verify(b'{"a":', kernel="reference"))


def test_notebooks_get_html() -> None:
    html = report_of("receipt/good")._repr_html_()
    assert html.startswith('<pre><b style="color:#1a7f37">VERIFIED</b>   sev_')
    evil = svc.verify(b'{"receipt":"<script>","stream_event_id":"<b>"}', kind="receipt", kernel="reference")
    assert "<script>" not in evil._repr_html_()
    assert "<b>" not in evil._repr_html_().replace('<b style="color:', "")


def test_nothing_acts_on_a_terminal() -> None:
    assert escape_text("a\x1b[31m\u202eb\U000e0001") == "a\\u{1b}[31m\\u{202e}b\\u{e0001}"
    assert json.loads(escape_json(json.dumps("\u202e\U000e0001", ensure_ascii=False))) == "\u202e\U000e0001"
    member = b'{"manifest":{"\x7f\\u001b]0;owned\\u0007":1},"artifacts":{},"seal":{}}'
    page = str(svc.verify(member, kind="bundle", kernel="reference"))
    assert "\x1b" not in page
    assert "\x7f" not in page


def test_small_parts() -> None:
    assert grouped_in("events 1 to 100000") == "events 1 to 100,000"
    assert shorten("a" * 64) == "aaaaaaaa…aaaaaaaa"
    assert wrap("x" * 100, "  ", "  ") == ["  " + "x" * 78, "  " + "x" * 22]
    assert wrap("", "> ", "  ") == ["> "]
