import type { KyselyPlugin, RootOperationNode } from "kysely";
import { expect, test } from "vitest";
import type { Caller } from "../../../src/service/accounts/caller.ts";
import { matchingJobs, summarize } from "../../../src/service/jobs/list.ts";
import { openStoreOf } from "../../../src/service/node/sqlite/open.ts";
import type { Store } from "../../../src/service/store/store.ts";
import { newFolder } from "../../folder.ts";

const caller: Caller = {
  userId: 1,
  organizationId: "o",
  tier: "",
  allow: undefined,
  keyId: "",
  scope: "read",
};
const conditions = {
  vendor: undefined,
  provider: undefined,
  statuses: undefined,
  search: undefined,
  tags: {},
};

/** Runs some queries, and returns how SQLite finds their rows of jobs. */
async function jobSearches(run: (store: Store) => Promise<unknown>): Promise<Set<string>> {
  await using store = await openStoreOf(newFolder());
  const nodes: RootOperationNode[] = [];
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await run(store.withPlugin(plugin));
  const details: string[] = [];
  for (const node of nodes) {
    const compiled = store.getExecutor().compileQuery(node, { queryId: "plan" });
    const query = { ...compiled, sql: `explain query plan ${compiled.sql}` };
    const { rows } = await store.executeQuery<{ detail: string }>(query);
    details.push(...rows.map(row => row.detail));
  }
  return new Set(details.filter(detail => /\bjobs_/.test(detail)));
}

test("a list's total looks only at jobs that have not ended", async () => {
  const searches = await jobSearches(async store => {
    const { total } = matchingJobs(caller, conditions);
    await total.execute(store);
  });
  expect(searches).toEqual(new Set(["SEARCH jobs USING INDEX jobs_unended (user_id=?)"]));
});

test("a summary looks only at jobs that have not ended", async () => {
  const searches = await jobSearches(store => summarize(store, caller));
  expect(searches).toEqual(new Set(["SEARCH jobs USING INDEX jobs_unended (user_id=?)"]));
});
