/**
 * Files that run whatever has changed, beyond the quick tests: those that discover code as they run, and those that
 * keep what may never happen from happening. By name, as `nameOf` gives it.
 */
export const ALWAYS: ReadonlySet<string> = new Set([
  // They find routes, fields and texts by themselves, so that a new one is tried without being named here.
  "packages/server/test/http/openapi.slow.test.ts",
  "packages/server/test/http/requests.slow.test.ts",
  "packages/server/test/tenancy/unauthenticated.test.ts (postgres)",
  "packages/server/test/migrations/migrations.test.ts (postgres)",
  "packages/server/test/families.test.ts (postgres)",
  "packages/sdk/test/exports.slow.test.ts",
  "tools/spec/test/formats.slow.test.ts",
  // Nothing that was acknowledged is ever lost: crashes, appends, backups.
  "packages/server/test/crash.test.ts (postgres)",
  "packages/server/test/two-processes.slow.test.ts",
  "packages/server/test/backup/backup.slow.test.ts",
  "packages/server/test/idempotency/one-key.slow.test.ts",
  "packages/server/test/streams/append.test.ts (postgres)",
  "packages/server/test/compare-and-set.test.ts (postgres)",
  "packages/server/test/sealing/sealing.slow.test.ts",
  // PostgreSQL itself, and what several servers share.
  "packages/host/test/store/postgres.test.ts (postgres)",
  "packages/host/test/jobs/leases.test.ts (postgres)",
  "packages/host/test/store/postgres-primary-discovery.slow.test.ts",
  "packages/server/test/postgres/servers.slow.test.ts",
  // No connection is opened offline; one page in a browser; each language once.
  "packages/cli/test/offline.slow.test.ts",
  "packages/web-verify/test/page.slow.test.ts",
  "sdks/go/test/fixtures.slow.test.ts",
  "sdks/python/test/story.slow.test.ts",
]);
