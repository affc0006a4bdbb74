/** Tests which addresses share limits. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { askerOf } from "../../src/http/asker.ts";

test("an IPv4 address stands for itself, in every form", () => {
  assert.equal(askerOf("192.0.2.7"), "192.0.2.7");
  assert.equal(askerOf("::ffff:192.0.2.7"), "192.0.2.7");
  assert.equal(askerOf("::FFFF:192.0.2.7"), "192.0.2.7");
  assert.equal(askerOf("0:0:0:0:0:ffff:c000:0207"), "192.0.2.7");
  assert.equal(askerOf("::ffff:c633:650a"), "198.51.101.10");
});

test("an IPv4 address behind a translator stands for itself, and for no network that all of them share", () => {
  for (const form of ["64:ff9b::192.0.2.7", "64:ff9b::c000:207", "64:FF9B:0:0:0:0:C000:207"])
    assert.equal(askerOf(form), "192.0.2.7", form);
  assert.equal(askerOf("64:ff9b:1::192.0.2.7"), "64:ff9b:1:0::/64");
  assert.equal(askerOf("::192.0.2.7"), "0:0:0:0::/64");
});

test("a port behind the address makes no other asker", () => {
  for (const port of ["40001", "1", "65535"]) {
    assert.equal(askerOf(`203.0.113.8:${port}`), "203.0.113.8");
    assert.equal(askerOf(`[2001:db8:0:9::1]:${port}`), "2001:db8:0:9::/64");
    assert.equal(askerOf(`[::ffff:203.0.113.8]:${port}`), "203.0.113.8");
  }
  assert.equal(askerOf("[2001:db8:0:9::1]"), "2001:db8:0:9::/64");
});

test("texts that are no address are one asker", () => {
  for (const text of ["", "unknown", "_hidden", "203.0.113.8:", "203.0.113.8:port", "203.0.113:80", "[]", "[x]:1", "1"])
    assert.equal(askerOf(text), "unknown", text);
});

test("an IPv6 address stands for its network of 64 bits, in every form", () => {
  const forms = [
    "2001:db8:0:1::1",
    "2001:0db8:0000:0001:ffff:ffff:ffff:ffff",
    "2001:DB8:0:1:2::",
    "2001:db8:0:1:0:0:192.0.2.1",
    "2001:db8:0:1::192.0.2.1",
  ];
  for (const form of forms) assert.equal(askerOf(form), "2001:db8:0:1::/64", form);
  assert.equal(askerOf("2001:db8:0:2::1"), "2001:db8:0:2::/64");
  assert.equal(askerOf("2001:db8::1"), "2001:db8:0:0::/64");
  assert.equal(askerOf("::1"), "0:0:0:0::/64");
  assert.equal(askerOf("fe80::1%eth0"), "fe80:0:0:0::/64");
});
