import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { auditLedger } from "../../../src/service/billing/audit.ts";
import { checkIntegrity } from "../../../src/service/node/sqlite/integrity.ts";
import { STORE_VERSION } from "../../../src/service/store/migrate.ts";
import { newFolder } from "../folder.ts";
import { serving } from "../serving.ts";
import { OLDER_VERSIONS, olderStore } from "./older-store.ts";

function read(path: string, query: string): Record<string, unknown>[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database.prepare(query).all();
  } finally {
    database.close();
  }
}

/** The columns and indexes of every table, in an order that does not depend on how they came to be. */
const tablesOf = (path: string) =>
  read(
    path,
    `select t.name, c.name as column, c.type, c."notnull", c.dflt_value, c.pk from sqlite_schema t, pragma_table_info(t.name) c
      where t.type = 'table' union all
      select t.name, i.name, c.name, i."unique", i.partial, c.seqno from sqlite_schema t, pragma_index_list(t.name) i,
        pragma_index_info(i.name) c where t.type = 'table' order by 1, 2, 3`,
  );

/** The metadata of a job; up to version 4 in one column. */
function metadataOf({ metadata_json, seed, ...row }: Record<string, unknown>): object {
  if (typeof metadata_json === "string") return JSON.parse(metadata_json);
  const [provenance, figures, diagnostics] = ["provenance_json", "figures_json", "diagnostics_json"].map(
    name => JSON.parse(String(row[name])),
  );
  return { seed, ...provenance, ...figures, ...(diagnostics ? { diagnostics } : {}) };
}

test("there is a store of every version but the newest", () => {
  expect(OLDER_VERSIONS).toEqual(Array.from({ length: STORE_VERSION - 1 }, (_, index) => index + 1));
});

describe.each(OLDER_VERSIONS)("a store of version %i", version => {
  test("is copied, gets the tables of a new store, and keeps every job, result and credit", async () => {
    const { folder, path } = olderStore(version);
    writeFileSync(`${path}.copy`, "what a start has left that was killed");
    await using service = await serving({ folder });
    const { call, store } = service;
    expect(existsSync(`${path}.copy`)).toBe(false);
    const [copy] = readdirSync(folder).filter(name => name.startsWith(`ketbook.sqlite.v${version}-`));
    expect(read(join(folder, copy!), "select version from store_version")).toEqual([{ version }]);
    expect(read(path, "select version from store_version")).toEqual([{ version: STORE_VERSION }]);
    expect(read(path, "select name from store_migrations")).toHaveLength(STORE_VERSION);
    expect(await checkIntegrity(path, "whole")).toEqual([]);
    expect(await auditLedger(store)).toEqual([]);

    const older = read(join(folder, copy!), "select * from jobs where deleted_at is null order by seq desc");
    const { data: jobs } = (await call("GET", "/jobs")).body;
    expect(jobs.map((job: { jobQrn: string }) => job.jobQrn)).toEqual(older.map(row => row.qrn));
    expect(jobs.map((job: { metadata: object }) => job.metadata)).toEqual(
      older.map(row => expect.objectContaining(metadataOf(row))),
    );
    const [failed, batch, bell] = jobs;
    expect([failed.status, batch.status, bell.status]).toEqual(["FAILED", "COMPLETED", "COMPLETED"]);
    const results = (await call("GET", `/jobs/${bell.jobQrn}/result`)).body.data;
    expect(Object.keys(results.resultData.measurementCounts).sort()).toEqual(["00", "11"]);
    expect((await call("GET", `/jobs/${batch.jobQrn}/result`)).body.data).toHaveLength(2);

    const again = await service.submit({ runtimeOptions: { seed: 7 } });
    const ended = await service.ended(again.jobQrn);
    expect((await call("GET", `/jobs/${ended.jobQrn}/result`)).body.data.resultData).toEqual(
      results.resultData,
    );
  });

  test("has the tables of a new store afterwards", async () => {
    const { folder, path } = olderStore(version);
    const fresh = newFolder();
    await (await serving({ folder })).service.stop();
    await (await serving({ folder: fresh })).service.stop();
    expect(tablesOf(path)).toEqual(tablesOf(join(fresh, "ketbook.sqlite")));
  });
});
