import { setTimeout as sleep } from "node:timers/promises";
import { caller, endless } from "../../service/serving.ts";
import { createSharedKey, sharedProcess } from "../../service/shared.ts";
import { startPostgres } from "../../service/store/postgres/server.ts";
import { quantile, type Report } from "../report.ts";
import { checkDatabase } from "./subject.ts";

const MAX_MS = 1000;

/** Cancels jobs that run on one of two workers, by way of either of two interfaces, and takes the time to the end. */
export async function cancelOnWorkers({ cancels }: { cancels: number }): Promise<Report> {
  await using server = await startPostgres();
  const database = await server.createDatabase();
  const key = await createSharedKey(database, "first", "--tier", "local");
  const worker = () => sharedProcess("worker", database, "--workers", "1", "--timing", "instant");
  await using one = await sharedProcess("serve", database, "--workers", "0");
  await using other = await sharedProcess("serve", database, "--workers", "0");
  await using _first = await worker();
  await using _second = await worker();
  const callers = [one, other].map(({ url }) => caller(url, key));
  const accepted = new Set<string>();
  const times: number[] = [];
  for (let at = 0; at < cancels; at += 1) {
    const { submit, ended } = callers[at % 2]!;
    const { call } = callers[(at + 1) % 2]!;
    const { jobQrn } = await submit({ program: endless });
    accepted.add(jobQrn);
    await ended(jobQrn, "RUNNING");
    const asked = performance.now();
    await call("POST", `/jobs/${jobQrn}/cancel`);
    while ((await call("GET", `/jobs/${jobQrn}`)).body.data.status !== "CANCELLED") await sleep(10);
    times.push(performance.now() - asked);
  }
  const median = quantile(times, 0.5);
  return {
    trial: "cancels on other machines",
    figures: { cancels, "median ms": median, "longest ms": Math.max(...times) },
    violations: [
      ...(median > MAX_MS ? [`half of the cancels take more than ${median} ms`] : []),
      ...(await checkDatabase(database, accepted)),
    ],
  };
}
