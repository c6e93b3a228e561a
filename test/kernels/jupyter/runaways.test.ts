import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { openSession, type Session, textOf } from "./session.ts";

let session: Session;
let kept = 0;

beforeAll(async () => {
  session = await openSession();
  await session.run("let kept = 0;\nconst spin = (): void => { for (;;) {} };");
});

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
];

const afterCell: [string, string][] = [
  ["a timer", "setTimeout(spin, 5);"],
  ["an interval", "setInterval(spin, 5);"],
  ["an immediate", "setImmediate(spin);"],
  [
    "a timer that schedules itself again",
    "const again = () => { setTimeout(again, 0); spin(); };\nsetTimeout(again, 5);",
  ],
  ["microtasks", "setTimeout(() => { const more = () => queueMicrotask(more); more(); }, 5);"],
  ["ticks", "setTimeout(() => { const more = () => process.nextTick(more); more(); }, 5);"],
  ["an async callback", "setTimeout(async () => { await 1; spin(); }, 5);"],
  [
    "a promise chain",
    "new Promise<void>(done => setTimeout(done, 5)).then(async () => { await 1; for (;;) {} });\nundefined",
  ],
];

async function alive(): Promise<void> {
  kept += 1;
  expect(textOf(await session.run("kept += 1;\nkept"))).toBe(String(kept));
}

test.each([...inCell, ...inCell, ...inCell])("%s is interrupted and the state lives on", async (_, code) => {
  let started = false;
  const running = session.run(`console.log('started');\n${code}`, () => {
    started = true;
  });
  await expect.poll(() => started, { interval: 5 }).toBe(true);
  await sleep(20);
  session.interrupt();
  expect((await running).reply).toMatchObject({ status: "error", ename: "Interrupted" });
  await alive();
});

test.each([...afterCell, ...afterCell])(
  "%s that runs away after its cell has ended is interrupted",
  async (_, code) => {
    expect((await session.run(`${code}\nundefined`)).reply.status).toBe("ok");
    await sleep(40);
    const next = session.run("1");
    session.interrupt();
    await next;
    await alive();
  },
);
