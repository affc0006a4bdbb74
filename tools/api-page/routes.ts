/** The routes that the page is about: those of a service that is opened on a fresh folder. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { routesOf } from "../../packages/server/src/app.ts";
import { systemClock } from "../../packages/server/src/clock.ts";
import { readConfig } from "../../packages/server/src/config.ts";
import type { Route } from "../../packages/server/src/http/route.ts";
import { initialize } from "../../packages/server/src/initialize.ts";
import { kernel } from "../../packages/server/src/kernel.ts";
import { Metrics } from "../../packages/server/src/metrics/metrics.ts";
import { openService } from "../../packages/server/src/open-service.ts";

/** Hands the routes to `work`, and takes the service and its folder away whatever comes. */
export async function withRoutes<Value>(work: (routes: readonly Route[]) => Promise<Value> | Value): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), "svc-api-routes-"));
  try {
    const dataFolder = join(folder, "data");
    const names = { tenantName: "Bank", systemName: "Loans", useCase: "loan decisions" };
    const origin = "evidence.example.com";
    await initialize({ dataFolder, origin, ...names, withKey: false, kernel, clock: systemClock });
    const onError = (error: unknown) => {
      throw error;
    };
    const config = readConfig({ SVC_DATA: dataFolder });
    const told = {
      onError,
      onUncertain: onError,
      onWarning: () => undefined,
      onRecorded: () => undefined,
      onFork: () => undefined,
      onBuilt: () => undefined,
    };
    const service = await openService({ ...config, ...told, kernel, clock: systemClock });
    try {
      return await work(routesOf(service, config, new Metrics()));
    } finally {
      await service.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
