import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, test, vi } from "vitest";
import { openSession, type Session, textOf } from "./session.ts";

vi.setConfig({ testTimeout: 20_000 });

let session: Session | undefined;
let kept = 0;

/** Opens another kernel where the one of the test before did not hear its interrupt, so that one failure stays one. */
beforeEach(async () => {
  const isAlive = session && (await Promise.race([session.run("1"), sleep(5000)]));
  if (isAlive) return;
  kept = 0;
  session = await openSession();
  await session.run(
    "let kept = 0, threads = 0;\nconst mark = () => require('node:fs').writeFileSync('running', '');\nconst spin = (): void => { mark(); for (;;) {} };",
  );
});

/** Starts a thread that never ends by itself; `threads` counts those there are. */
const WORKER = `import { Worker } from "node:worker_threads";
const worker = new Worker("for (;;) {}", { eval: true });
threads += 1;
worker.once("exit", () => { threads -= 1; });
`;

const inCell: [string, string][] = [
  ["a busy loop", "for (;;) {}"],
  ["a loop after an await", "await 1; for (;;) {}"],
  ["a loop after a timer", "await new Promise(done => setTimeout(done, 5)); for (;;) {}"],
  ["an endless wait", "await new Promise(() => {});"],
  ["endless turns", "for (;;) await new Promise(done => setImmediate(done));"],
  ["endless microtasks", "for (;;) await null;"],
  ["deep recursion", "const fib = (n: number): number => n < 2 ? n : fib(n - 1) + fib(n - 2);\nfib(100);"],
  ["a hopeless pattern", "/^(a+)+$/.test('a'.repeat(60) + 'b');"],
  ["a comparison in a sort", "Array.from({ length: 1e5 }, (_, i) => i).sort(() => { for (;;) {} });"],
  ["a child process and a loop", "require('node:child_process').execSync('sleep 0.3'); for (;;) {}"],
  ["a promise chain", "await Promise.resolve().then(async () => { await 1; for (;;) {} });"],
  ["a chain that is shown", "new Promise<void>(done => done()).then(async () => { await 1; for (;;) {} })"],
  ["a microtask", "queueMicrotask(() => { for (;;) {} }); await new Promise(() => {});"],
  [
    "an abandoned wait before a finally",
    "try { await new Promise(() => {}); } finally { await new Promise(() => {}); }",
  ],
  ["a loop that catches everything", "for (;;) { try { for (;;) {} } catch {} }"],
  [
    "waits that catch everything",
    "for (;;) { try { await new Promise(done => setTimeout(done, 5)); } catch {} }",
  ],
  [
    "a hundred waits at once",
    "await Promise.all(Array.from({ length: 100 }, async () => { for (;;) await new Promise(done => setTimeout(done, 1)); }));",
  ],
  [
    "a callback of a file",
    "await new Promise(() => { require('node:fs').readFile('package.json', () => { for (;;) {} }); });",
  ],
  [
    "an answer that never comes",
    "await fetch(await new Promise<string>(done => { const server = require('node:http').createServer(); server.listen(0, () => done('http://127.0.0.1:' + server.address().port)); }));",
  ],
  ["the text of its value", "({ [Symbol.for('nodejs.util.inspect.custom')]() { for (;;) {} } })"],
  ["a worker that it waits for", `${WORKER}await new Promise(done => worker.once("exit", done));`],
  ["a worker beside which it spins", `${WORKER}for (;;) {}`],
  [
    "a worker whose memory it waits for",
    `${WORKER}Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`,
  ],
];

const afterCell: [string, string][] = [
  ["a timer", "setTimeout(spin, 5);"],
  ["an interval", "setInterval(spin, 5);"],
  ["an immediate", "setImmediate(spin);"],
  [
    "a timer that schedules itself again",
    "const again = () => { setTimeout(again, 0); spin(); };\nsetTimeout(again, 5);",
  ],
  ["microtasks", "setTimeout(() => { mark(); const more = () => queueMicrotask(more); more(); }, 5);"],
  ["ticks", "setTimeout(() => { mark(); const more = () => process.nextTick(more); more(); }, 5);"],
  ["an async callback", "setTimeout(async () => { await 1; spin(); }, 5);"],
  [
    "a promise chain",
    "new Promise<void>(done => setTimeout(done, 5)).then(async () => { await 1; spin(); });\nundefined",
  ],
  ["a timer of Node's own", "AbortSignal.timeout(5).addEventListener('abort', spin);"],
  ["an imported timer", "import { setInterval as every } from 'node:timers';\nevery(spin, 5);"],
  ["a child's end", "require('node:child_process').exec('true', spin);"],
  [
    "a worker's message",
    "import { Worker } from 'node:worker_threads';\nnew Worker('require(\"node:worker_threads\").parentPort.postMessage(0)', { eval: true }).on('message', spin);",
  ],
];

async function alive(): Promise<void> {
  kept += 1;
  expect(textOf(await session!.run("kept += 1;\nkept"))).toBe(String(kept));
}

test.each([...inCell, ...inCell])(
  "%s is interrupted and the state lives on",
  { retry: 1 },
  async (_, code) => {
    let started = false;
    const running = session!.run(`console.log('started');\n${code}`, () => {
      started = true;
    });
    await expect.poll(() => started, { interval: 5 }).toBe(true);
    await sleep(20);
    session!.interrupt();
    expect((await running).reply).toMatchObject({ status: "error", ename: "Interrupted" });
    await alive();
  },
);

test.each([...afterCell, ...afterCell])(
  "%s that runs away after its cell has ended is interrupted",
  { retry: 1 },
  async (_, code) => {
    rmSync(join(session!.folder, "running"), { force: true });
    expect((await session!.run(`${code}\nundefined`)).reply.status).toBe("ok");
    await expect.poll(() => existsSync(join(session!.folder, "running")), { timeout: 20_000 }).toBe(true);
    const next = session!.run("1");
    session!.interrupt();
    await next;
    await alive();
  },
);

test("the threads of interrupted cells have ended", async () => {
  await expect.poll(async () => textOf(await session!.run("threads"))).toBe("0");
});

test("what can't be stopped says so and offers the restart; it ends in its own time", async () => {
  rmSync(join(session!.folder, "running"), { force: true });
  const running = session!.run("mark();\nrequire('node:child_process').execSync('sleep 8');");
  await expect.poll(() => existsSync(join(session!.folder, "running")), { timeout: 20_000 }).toBe(true);
  session!.interrupt();
  const { outputs } = await running;
  expect(outputs).toMatchObject([
    { name: "stderr", text: expect.stringContaining("Restart the kernel to end it") },
    { ename: "Interrupted" },
  ]);
  await alive();
});
