import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { useOwnData } from "../../notebook/own-data.ts";
import { openSession, textOf } from "./session.ts";

useOwnData();
const session = await openSession();
await session.run("const state = { a: 1 };");
await session.run(
  `let kept = 0, threads = 0;
const mark = () => require('node:fs').writeFileSync('running', '');
const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
const spin = (): void => { mark(); for (;;) pause(); };`,
);
let kept = 0;

/** The file by which a cell says that it runs away now. */
const marker = join(session.folder, "running");

/** Runs a cell, and resolves when it has marked that it runs away. */
async function runAway(code: string) {
  rmSync(marker, { force: true });
  const running = session.run(code);
  await expect.poll(() => existsSync(marker), { timeout: 20_000, interval: 5 }).toBe(true);
  return { ended: running };
}

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
  expect(textOf(await session.run("state.a += 1"))).toEqual(expect.stringMatching(/^\d+$/));
});

test("what a cell's functions do in a loop of waiting ends with the interrupt", async () => {
  await session.run(`let turns = 0;
async function loop() { for (;;) { await new Promise(done => setTimeout(done, 10)); turns += 1; } }`);
  await interrupted("await loop();");
  const after = textOf(await session.run("turns"));
  await sleep(100);
  expect(textOf(await session.run("turns"))).toBe(after);
});

test.each([
  ["prints all the time", "for (;;) { console.log('on'); pause(); }"],
  ["prints and waits", "for (;;) { console.log('on'); await new Promise(done => setTimeout(done, 1)); }"],
])("after a cell that %s, what the next one prints is seen while it runs", async (_, code) => {
  await interrupted(`await new Promise(done => setTimeout(done, 100));\n${code}`, "started");
  let said = "";
  const next = session.run('console.log("next");\nawait new Promise(() => undefined);', ({ content }) => {
    said += String(content?.text ?? "");
  });
  await expect.poll(() => said).toContain("next");
  session.interrupt();
  await next;
});

test("an interrupt is heard at whatever moment of a cell's beginning it comes", async () => {
  for (let ms = 0; ms < 45; ms += 3) {
    const running = session.run(
      "for (;;);",
      ({ type }) => void (type === "execute_input" && setTimeout(session.interrupt, ms)),
    );
    expect((await running).reply).toMatchObject({ ename: "Interrupted" });
  }
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
  const { reply, outputs } = await interrupted("await waiting.wait();", "asked again");
  expect(reply).toMatchObject({ status: "error", ename: "Interrupted" });
  expect(JSON.stringify(outputs)).toContain("continues, and is charged: look again with job(");
  // A request that was on its way may still arrive.
  const more = "const before = asked;\nawait new Promise(done => setTimeout(done, 1500));\nasked - before";
  await expect.poll(async () => textOf(await session.run(more))).toBe("0");
  expect(textOf(await session.run("looked.filter(each => !each.startsWith('GET'))"))).toBe("[]");
  await session.run("server.closeAllConnections(); server.close();");
});

/** Starts a thread that never ends by itself, and marks it; `threads` counts those there are. */
const WORKER = `import { Worker } from "node:worker_threads";
const worker = new Worker("for (;;) {}", { eval: true });
threads += 1;
worker.once("exit", () => { threads -= 1; });
mark();
`;

/** A loop of `pause()` blocks its thread as a busy one does, which some of these are, and spares the machine. */
const inCell: [string, string][] = [
  ["a busy loop", "for (;;) {}"],
  ["a loop after an await", "await 1; for (;;) pause();"],
  ["a loop after a timer", "await new Promise(done => setTimeout(done, 5)); spin();"],
  ["an endless wait", "await new Promise(() => {});"],
  ["endless turns", "for (;;) await new Promise(done => setImmediate(done));"],
  ["endless microtasks", "for (;;) await null;"],
  ["deep recursion", "const fib = (n: number): number => n < 2 ? n : fib(n - 1) + fib(n - 2);\nfib(100);"],
  ["a hopeless pattern", "/^(a+)+$/.test('a'.repeat(60) + 'b');"],
  ["a comparison in a sort", "Array.from({ length: 1e5 }, (_, i) => i).sort(() => { for (;;) {} });"],
  ["a child process and a loop", "require('node:child_process').execSync('sleep 0.3'); for (;;) pause();"],
  ["a promise chain", "await Promise.resolve().then(async () => { await 1; for (;;) pause(); });"],
  [
    "a chain that is shown",
    "new Promise<void>(done => done()).then(async () => { await 1; for (;;) pause(); })",
  ],
  ["a microtask", "queueMicrotask(() => { for (;;) pause(); }); await new Promise(() => {});"],
  [
    "an abandoned wait before a finally",
    "try { await new Promise(() => {}); } finally { await new Promise(() => {}); }",
  ],
  ["a loop that catches everything", "for (;;) { try { for (;;) pause(); } catch {} }"],
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
    "await new Promise(() => { require('node:fs').readFile('package.json', spin); });",
  ],
  [
    "an answer that never comes",
    "await fetch(await new Promise<string>(done => { const server = require('node:http').createServer(); server.listen(0, () => done('http://127.0.0.1:' + server.address().port)); }));",
  ],
  ["the text of its value", "({ [Symbol.for('nodejs.util.inspect.custom')]() { for (;;) pause(); } })"],
  ["a worker that it waits for", `${WORKER}await new Promise(done => worker.once("exit", done));`],
  ["a worker beside which it spins", `${WORKER}for (;;) pause();`],
  [
    "a worker whose memory it waits for",
    `${WORKER}Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`,
  ],
];

const afterCell: [string, string][] = [
  ["a timer", "setTimeout(() => { mark(); for (;;) {} }, 5);"],
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

/** Kinds that leave something behind, which a second interrupt must find as the first did. */
const again = (kinds: [string, string][]) =>
  kinds.filter(([kind]) =>
    /^(?:a busy loop|a loop after|a worker|an answer|an interval|a promise|an imported)/.test(kind),
  );

async function alive(): Promise<void> {
  kept += 1;
  expect(textOf(await session.run("kept += 1;\nkept"))).toBe(String(kept));
}

test.each([...inCell, ...again(inCell)])("%s is interrupted and the state lives on", async (_, code) => {
  const { ended } = await runAway(/spin|mark/.test(code) ? code : `mark();\n${code}`);
  await sleep(20);
  session.interrupt();
  expect((await ended).reply).toMatchObject({ status: "error", ename: "Interrupted" });
  await alive();
});

test.each([...afterCell, ...again(afterCell)])(
  "%s that runs away after its cell has ended is interrupted",
  async (_, code) => {
    const { ended } = await runAway(`${code}\nundefined`);
    expect((await ended).reply.status).toBe("ok");
    const next = session.run("1");
    session.interrupt();
    await next;
    await alive();
  },
);

test("the threads of interrupted cells have ended", async () => {
  await expect.poll(async () => textOf(await session.run("threads"))).toBe("0");
});

test("what an earlier cell has started is heard of, though it ends while another cell is interrupted", async () => {
  await session.run(
    `let ended = 0;\nfor (let i = 0; i < 8; i += 1) new (require("node:worker_threads").Worker)("", { eval: true }).once("exit", () => { ended += 1; });\nundefined`,
  );
  const { ended } = await runAway("mark();\nfor (;;) pause();");
  await sleep(1000);
  session.interrupt();
  await ended;
  await expect.poll(async () => textOf(await session.run("ended")), { timeout: 10_000 }).toBe("8");
});

test.each([
  ["a power of large integers", "3n ** (10n ** 9n);"],
  ["the digits of one", "(7n ** (10n ** 8n)).toString();"],
  ["a child process that it waits for", "require('node:child_process').execSync('sleep 60');"],
  ["a shell's child", "require('node:child_process').execSync('sleep 60; true', { stdio: 'inherit' });"],
])("%s is interrupted though it runs outside of JavaScript", async (_, code) => {
  const { ended } = await runAway(`mark();\n${code}`);
  await sleep(20);
  session.interrupt();
  expect((await ended).reply).toMatchObject({ status: "error", ename: "Interrupted" });
  await alive();
});

test("a child that runs beside an interrupted one lives on", async () => {
  await session.run(
    "const beside = require('node:child_process').spawn('sleep', ['60']);\nlet besideEnded = false;\nbeside.on('exit', () => { besideEnded = true; });\nundefined",
  );
  const { ended } = await runAway("mark();\nrequire('node:child_process').execSync('sleep 60');");
  session.interrupt();
  await ended;
  expect(textOf(await session.run("besideEnded"))).toBe("false");
  await session.run("beside.kill();");
});

test("what can't be stopped says so; a second interrupt ends it with all variables, and the kernel continues", async () => {
  await session.run("const gone = 1;\nrequire('node:child_process').execSync('mkfifo pipe');");
  let said = "";
  const running = session.run(
    "console.log('runs');\nawait new Promise(done => setTimeout(done, 200));\nrequire('node:fs').readFileSync('pipe');",
    message => {
      said += String(message.content?.text ?? "");
    },
  );
  await expect.poll(() => said).toContain("runs");
  await sleep(1000);
  session.interrupt();
  await expect.poll(() => said).toContain("Interrupt again to stop it and lose all variables");
  expect(said).toContain("Compute such powers before the first await of a cell");
  session.interrupt();
  expect((await running).reply).toMatchObject({
    ename: "Interrupted",
    evalue: expect.stringContaining("The variables are gone; the notebook is not"),
  });
  expect(textOf(await session.run("// @ts-nocheck\ntypeof gone"))).toBe("undefined");
});

test("a kernel that is asked to end does so, also with timers open, and with exit code 0", async () => {
  await session.run("setInterval(() => undefined, 1000);\nundefined");
  expect(await session.shutdown()).toBe(0);
});
