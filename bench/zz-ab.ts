import { mkdtempSync, rmSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { startOurs, loaded, startBare, makeOurs } from "/work/wt-me/bench/server/programs.ts";
import { execFileSync } from "node:child_process";
// usage: ab.ts SECONDS ROUNDS CLIENTS BATCH STREAMS prog...
const [seconds, rounds, clients, batch, streams, ...programs] = process.argv.slice(2);
const folder = mkdtempSync("/tmp/me/ab-");
const bare = await startBare();
const servers: any[] = [];
for (const [i, program] of programs.entries()) {
  const path = join(folder, `d${i}`);
  const out = execFileSync(process.execPath, [program!, "init", "--origin", "bench.example/evidence", "--data", path, "--json"]).toString();
  const { api_key, public_key_hex, system_id, tenant_id } = JSON.parse(out);
  const ours = await startOurs({ path, program, apiKey: api_key, publicKeyHex: public_key_hex, systemId: system_id, tenantId: tenant_id } as any);
  const ids = await ours.streams(Number(streams));
  servers.push({ ours, ids, program });
}
const cpu = (port: number) => { // by pid of server via ss
  return 0;
};
const rates: Record<string, number[]> = {}; const p99: Record<string, number[]> = {}; const p50: any = {};
const push = (r: any, k: string, v: number) => (r[k] ??= []).push(v);
const suffix = Number(batch) > 0 ? "events/batch" : "events";
for (let round = 0; round < Number(rounds); round++) {
  const order = ["bare", ...servers]; if (round % 2) order.reverse();
  for (const one of order) {
    if (one === "bare") {
      if (Number(batch) > 0) continue;
      const s: any = await loaded({ clients: Number(clients), seconds: Number(seconds), batch: 0, port: bare.port, paths: ["/append"], apiKey: "", file: null } as any);
      push(rates, "bare", s.requests / s.seconds); push(p99, "bare", s.p99_ms); push(p50, "bare", s.p50_ms); continue;
    }
    const { ours, ids, program } = one as any;
    const before = await ours.commits();
    const s: any = await loaded({ clients: Number(clients), seconds: Number(seconds), batch: Number(batch), port: ours.port, paths: ids.map((id: string) => `/v2/streams/${id}/${suffix}`), apiKey: ours.apiKey, file: null } as any);
    push(rates, program, s.requests / s.seconds); push(p99, program, s.p99_ms); push(p50, program, s.p50_ms);
    console.log(program.slice(-30), JSON.stringify({...s, syncs: ((await ours.commits()) - before) / s.requests, peak: ours.peakMib()}), readFileSync("/proc/loadavg", "utf8").trim());
  }
}
const med = (a: number[]) => [...a].sort((x, y) => x - y)[a.length >> 1]!;
for (const k of Object.keys(rates)) console.log(k, "rate", med(rates[k]!).toFixed(0), "of bare", rates.bare ? (med(rates[k]!) / med(rates.bare)).toFixed(3) : "", "p50", med(p50[k]), "p99", med(p99[k]!));
await Promise.all([bare.close(), ...servers.map(({ ours }) => ours.close())]);
rmSync(folder, { recursive: true });
