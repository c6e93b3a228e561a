import type { Spending } from "../../src/display/index.ts";

/** What jobs cost: a row's key, its cost, and what is estimated beside. Each row has ten jobs. */
export function spending(
  by: Spending["by"],
  rows: readonly (readonly [key: string, cost: number, estimated?: number])[],
  over: Partial<Spending> = {},
): Spending {
  const full = rows.map(([key, cost, estimated = 0]) => ({ key, cost, estimated, jobs: 10, shots: 1000 }));
  const sum = (field: "cost" | "estimated" | "jobs" | "shots") =>
    full.reduce((total, row) => total + row[field], 0);
  return {
    by,
    rows: full,
    total: { cost: sum("cost"), estimated: sum("estimated"), jobs: sum("jobs"), shots: sum("shots") },
    from: "2026-10-23",
    to: "2026-11-21",
    about: [],
    overlapping: by === "tag",
    unread: [],
    ...over,
  };
}

/** Thirty days as `YYYY-MM-DD`, or as many as are asked for. */
export const daysOf = (count: number = 30) =>
  Array.from({ length: count }, (_, index) =>
    new Date(Date.UTC(2026, 9, 23 + index)).toISOString().slice(0, 10),
  );
