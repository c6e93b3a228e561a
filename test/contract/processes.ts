import type { TestProject } from "vitest/node";
import { sharedProcess } from "../service/shared.ts";
import { startPostgres } from "../service/store/postgres/server.ts";

declare module "vitest" {
  interface ProvidedContext {
    processes: { database: string; urls: string[]; legacyUrl: string };
  }
}

/**
 * Starts the processes of `KETBOOK_CONTRACT_PROCESSES` on a PostgreSQL database, for all files of the suite: `2+2` is
 * two that take requests and two that run jobs, and `1` is one that does both.
 */
export default async function startProcesses(project: TestProject) {
  const [apis = 1, workers = 0] = process.env.KETBOOK_CONTRACT_PROCESSES!.split("+").map(Number);
  const server = await startPostgres();
  const database = await server.createDatabase();
  const options = workers > 0 ? ["--workers", "0"] : [];
  const started = await Promise.all([
    ...Array.from({ length: apis }, () => sharedProcess("serve", database, ...options)),
    ...Array.from({ length: workers }, () => sharedProcess("worker", database)),
  ]);
  const serving = started.slice(0, apis);
  const urls = serving.map(each => each.url);
  project.provide("processes", { database, urls, legacyUrl: serving[0]!.legacyUrl });
  return async () => {
    await Promise.all(started.map(each => each.end()));
    await server.stop();
  };
}
