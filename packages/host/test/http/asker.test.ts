/** Tests which addresses share limits. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { askerOf } from "../../src/http/asker.ts";

test("an IPv4 address stands for itself, in every form", () => {
  assert.equal(askerOf("192.0.2.7"), "192.0.2.7");
  assert.equal(askerOf("::ffff:192.0.2.7"), "192.0.2.7");
  assert.equal(askerOf("::FFFF:192.0.2.7"), "192.0.2.7");
  assert.equal(askerOf(""), "");
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
