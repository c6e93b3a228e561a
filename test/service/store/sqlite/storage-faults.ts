import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { bell, type Serving } from "../../serving.ts";

/** A program that runs for half a second and more, in a single thread. */
export const long = {
  format: "qasm3",
  data: 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[12] q;\nbit c;\nfor int i in [0:2000] { h q; t q; cz q[0:10], q[1:11]; }\nc = measure q[0];',
};

/** A program that takes some pages of a store. */
export const large = { ...bell, data: `${bell.data} //${"x".repeat(10_000)}` };

export const ready = async ({ url }: { url: string }) => {
  const answer = await fetch(new URL("/readyz", url));
  return { status: answer.status, code: ((await answer.json()) as { error?: { code: string } }).error?.code };
};

/** How often the jobs of a service were started. */
export async function attemptsOf({ store }: Serving): Promise<Set<number>> {
  return new Set((await store.selectFrom("jobs").select("attempt").execute()).map(({ attempt }) => attempt));
}

export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(50);
}

/** Lets the store of a service grow no further, as a full disk does. */
export const fill = ({ store }: Serving) => sql`pragma max_page_count = 1`.execute(store);

export const free = ({ store }: Serving) => sql`pragma max_page_count = 1000000`.execute(store);
