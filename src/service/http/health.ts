import { Hono } from "hono";
import type { Context } from "../context.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { StorageProblem } from "../storage-errors.ts";
import { createAdmission } from "./admission.ts";
import type { CallState } from "./call-state.ts";
import { NO_PROXIES } from "./client-address.ts";
import { answerError, storageError } from "./error-response.ts";
import { addMetricsRoute } from "./metrics.ts";
import { identifyRequest } from "./request-log.ts";
import { sendBody } from "./stream.ts";

/** Sources of a process's health. */
export interface HealthParts {
  /** Resolves to what keeps the store from taking writes. */
  readiness(): Promise<StorageProblem | undefined>;
  metrics: Metrics;
}

/**
 * Adds `/healthz`, whether the process answers, and `/readyz`, whether its store has room and connections for a
 * submission (503 or 507 where not).
 */
export function addHealthRoutes(app: Hono<CallState>, { readiness }: Pick<HealthParts, "readiness">): void {
  app.get("/healthz", call => {
    const { outgoing } = call.env ?? {};
    const answer = { status: 200, mediaType: "application/json", body: '{"status":"ok"}' };
    return outgoing ? sendBody(outgoing, answer) : call.json({ status: "ok" });
  });
  app.get("/readyz", async call => {
    const problem = await readiness();
    if (problem) throw storageError(problem);
    return call.json({ status: "ready" });
  });
}

/** Makes the HTTP app of a process that only runs jobs: its health, and its metrics. */
export function createHealthApp(
  context: Pick<Context, "store" | "clock">,
  parts: HealthParts,
): Hono<CallState> {
  const app = new Hono<CallState>();
  app.onError((error, call) => answerError(error, call.get("requestId")));
  app.use((call, next) => {
    identifyRequest(call, NO_PROXIES);
    return next();
  });
  addHealthRoutes(app, parts);
  addMetricsRoute(app, createAdmission(context), parts.metrics);
  return app;
}
