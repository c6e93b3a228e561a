import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { useOwnService } from "../../notebook/own-service.ts";
import { openSession, type Session, textOf } from "./session.ts";

useOwnService();
let session: Session;

beforeAll(async () => {
  session = await openSession();
  await session.run("const kept = { a: 1 };");
});

/** Runs a cell until it has begun, or has written some text, and interrupts it a moment later. */
async function interrupted(code: string, sign?: string) {
  let hasBegun = false;
  const running = session.run(`console.log("started");\n${code}`, ({ content }) => {
    if (sign === undefined || String(content?.text ?? "").includes(sign)) hasBegun = true;
  });
  await expect.poll(() => hasBegun).toBe(true);
  await sleep(50);
  session.interrupt();
  return running;
}

test.each([
  ["computes", "while (true);"],
  ["waits for ever", "await new Promise(() => undefined);"],
  ["computes after it has waited", "await new Promise(done => setTimeout(done, 10));\nwhile (true);"],
  [
    "reads an endless stream",
    "for await (const _ of (async function* () { for (;;) { yield 1; await new Promise(done => setImmediate(done)); } })());",
  ],
  ["shows a promise that never settles", "new Promise(() => undefined)"],
])("a cell that %s can be interrupted, and kernel and variables live on", async (_, code) => {
  const { reply } = await interrupted(code);
  expect(reply).toMatchObject({ status: "error", ename: "Interrupted", evalue: "The cell was interrupted." });
  expect(textOf(await session.run("kept.a += 1"))).toEqual(expect.stringMatching(/^\d+$/));
});

test("what a cell's functions do in a loop of waiting ends with the interrupt", async () => {
  await session.run(`let turns = 0;
async function loop() { for (;;) { await new Promise(done => setTimeout(done, 10)); turns += 1; } }`);
  await interrupted("await loop();");
  const after = textOf(await session.run("turns"));
  await sleep(100);
  expect(textOf(await session.run("turns"))).toBe(after);
});

test("an interrupt without a running cell does nothing, and the next cell is not hit by it", async () => {
  session.interrupt();
  await sleep(200);
  expect(textOf(await session.run("await new Promise(done => setTimeout(done, 100));\n'ran'"))).toBe("ran");
});

test("the compiler is never interrupted", async () => {
  const types = Array.from({ length: 400 }, (_, n) => `type T${n} = { [K in keyof Array<${n}>]: K };`).join(
    "\n",
  );
  let ended = false;
  const running = session.run(`${types}\nwhile (true);`).finally(() => {
    ended = true;
  });
  while (!ended) {
    session.interrupt();
    await sleep(100);
  }
  expect((await running).reply).toMatchObject({ status: "error", ename: "Interrupted" });
  await sleep(300);
  expect(textOf(await session.run("1 + 1"))).toBe("2");
});

test("waiting for a job stops and asks no more, and the job is left alone", async () => {
  await session.run(`import { connect, job, qasm, run } from "ketbook";
import { createServer } from "node:http";
let asked = 0;
const looked: string[] = [];
const server = createServer((request, response) => {
  asked += 1;
  looked.push(request.method + " " + request.url);
  if (asked > 2) console.log("asked again");
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ success: true, data: record, meta: { timestamp: new Date().toISOString() } }));
});
const record = {
  jobQrn: "svc:svc:sim:statevector-0000-qjob-000000000000000000000000", batchJobQrn: null, name: null,
  deviceQrn: "svc:svc:sim:statevector", vendor: "svc", provider: "svc", experimentType: "gate_model",
  status: "RUNNING", statusMsg: null, queuePosition: null, shots: 10, numCircuits: 1, groupJobQrn: null,
  estimatedCost: 1, cost: null, tags: {}, metadata: {}, runtimeOptions: {},
  timeStamps: { createdAt: "2026-01-01T00:00:00.000Z" },
  createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z",
};
await new Promise<void>(done => server.listen(0, "127.0.0.1", () => done()));
connect({ url: "http://127.0.0.1:" + (server.address() as { port: number }).port + "/api/v1", apiKey: "key" });
const waiting = await job(record.jobQrn);`);
  const { reply } = await interrupted("await waiting.wait();", "asked again");
  expect(reply).toMatchObject({ status: "error", ename: "Interrupted" });
  // A request that was on its way may still arrive.
  const more = "const before = asked;\nawait new Promise(done => setTimeout(done, 1500));\nasked - before";
  await expect.poll(async () => textOf(await session.run(more))).toBe("0");
  expect(textOf(await session.run("looked.filter(each => !each.startsWith('GET'))"))).toBe("[]");
  await session.run("server.closeAllConnections(); server.close();");
});

test("a kernel that is asked to end does so, also with timers open, and with exit code 0", async () => {
  await session.run("setInterval(() => undefined, 1000);\nundefined");
  expect(await session.shutdown()).toBe(0);
});
