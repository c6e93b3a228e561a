import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { COPIED_TABLES } from "../../../src/service/store/copy.ts";
import { backUpDatabase, restoreDatabase } from "../../../src/service-cluster/backup.ts";
import { newFolder } from "../../folder.ts";
import { unavailable } from "../../front-ends/available.ts";
import { closePages } from "../../front-ends/browser.ts";
import { isPostgresMissing, startPostgres } from "../../service/store/postgres/server.ts";
import { openPage, serveSite } from "./site.ts";

const JOB = {
  deviceQrn: "svc:svc:sim:statevector",
  shots: 100,
  tags: { lesson: "archives", number: 3 },
  program: {
    format: "qasm3",
    data: `OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; h q[0]; cx q[0], q[1]; bit[2] c = measure q;`,
  },
};

/** What a start of the service writes: the key of its own user, and what is recorded of that. */
const OF_STARTS = /^(?:api_keys|audit_events)$/;

/** Columns of jobs that say which process has run them last, and are cleared where they are imported. */
const OF_PROCESSES = /^(?:leased_until|worker_id)$/;

/** The rows of a copy of a store by table, each as its columns and values. */
function rowsOf(file: Buffer): Map<string, string[]> {
  const path = join(newFolder(), "copy.sqlite");
  writeFileSync(path, file);
  const database = new DatabaseSync(path);
  const tables = new Map<string, string[]>();
  for (const { name } of COPIED_TABLES) {
    const rows = database.prepare(`select * from ${name}`).all();
    const lines = rows.map(row =>
      JSON.stringify(
        Object.entries(row)
          .filter(([column]) => !OF_PROCESSES.test(column))
          .sort(),
      ),
    );
    if (lines.length > 0 && !OF_STARTS.test(name)) tables.set(name, lines.sort());
  }
  database.close();
  return tables;
}

test.skipIf(unavailable("chromium") || isPostgresMissing())(
  "what a page keeps goes into a PostgreSQL database and from there into another page, and nothing is lost",
  { timeout: 240_000 },
  async () => {
    const [site, server] = await Promise.all([serveSite(), startPostgres()]);
    const folder = newFolder();
    try {
      const page = await openPage(site.url.replace("//", "//first."));
      const balance = await page.evaluate(async job => {
        const group = await ketbook.send("POST", "/jobs/group", { body: { name: "a group" } });
        await ketbook.run({ ...job, name: "π", groupJobQrn: group.body.data.groupJobQrn });
        await ketbook.run({ ...job, name: "seeded", runtimeOptions: { seed: 5 } });
        await ketbook.run({
          ...job,
          name: "fails",
          program: { ...job.program, data: "OPENQASM 3.0; qbit q;" },
        });
        return (await ketbook.send("GET", "/billing/credits/balance")).body.data;
      }, JOB);
      const before = Buffer.from(await page.evaluate(() => ketbook.export()), "base64");
      await page.close();

      writeFileSync(join(folder, "page"), before);
      const database = await server.createDatabase();
      expect(await restoreDatabase(join(folder, "page"), database)).toMatchObject({ jobs: 3 });
      await backUpDatabase(database, join(folder, "database"));
      const between = readFileSync(join(folder, "database"));

      const second = await openPage(site.url.replace("//", "//second."));
      expect(await second.evaluate(bytes => ketbook.import(bytes), between.toString("base64"))).toBe(3);
      const found = await second.evaluate(
        async () => (await ketbook.send("GET", "/billing/credits/balance")).body.data,
      );
      const after = Buffer.from(await second.evaluate(() => ketbook.export()), "base64");

      const kept = rowsOf(before);
      expect([...kept.keys()]).toEqual(expect.arrayContaining(["jobs", "job_tags", "job_groups"]));
      expect(rowsOf(between)).toEqual(kept);
      expect(rowsOf(after)).toEqual(kept);
      expect(found).toEqual(balance);
    } finally {
      await closePages();
      site.close();
      await server.stop();
    }
  },
);
