/** Rotations of the pepper: which hashes are still under the one before it. */
import type { Migration } from "@svc/host/store";

/** Schema version 26. */
export const earlierPepper: Migration = {
  version: 26,
  name: "earlier pepper",
  sql: `
-- earlier_pepper_mac: the pepper_mac of before the last rotation; null once nothing needs that pepper any more.
ALTER TABLE service ADD COLUMN earlier_pepper_mac TEXT;
ALTER TABLE service ADD COLUMN pepper_rotated_at TEXT;

-- The service's pepper_mac when the secret was hashed. A secret can be hashed anew only when its key is used.
ALTER TABLE credentials ADD COLUMN pepper_mac TEXT NOT NULL DEFAULT '';
UPDATE credentials SET pepper_mac = (SELECT pepper_mac FROM service);
`,
};
