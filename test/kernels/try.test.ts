import { test } from "vitest";
import { openSession } from "./plugin/session.ts";
import { execSync } from "node:child_process";
test("try", async () => {
  const s = await openSession();
  await s.run("const kept = { a: 1 };");
  const go = async (c: string, ms: number) => { const r = s.run(c); setTimeout(() => s.interrupt(), ms); const t = performance.now(); const x = await Promise.race([r, new Promise<any>(d => setTimeout(d, ms + 2500))]); console.log("C", c.slice(0, 60), x?.reply.status, x?.reply.ename, (performance.now() - t - ms).toFixed(0), JSON.stringify(x?.outputs)?.slice(0,100).replace("stdout","")); };
  for (const c of JSON.parse(process.env.SEQ!)) { await go(c, 250); console.log("C", (await Promise.race([s.run("kept.a += 1"), new Promise<any>(d => setTimeout(d, 2000))]))?.reply.status); }
  console.log("C", execSync(`top -b -n 1 -p ${s.pid} | tail -1`).toString());
}, 30000);
