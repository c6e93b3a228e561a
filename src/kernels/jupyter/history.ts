import type { HistoryEntry } from "./execute-queue.ts";

type Line = readonly [session: number, line: number, source: string];
type LineWithOutput = readonly [session: number, line: number, both: [source: string, output: string | null]];

/** Answers a `history_request`, with the cells' results where they are asked for. */
export function historyOf(
  history: readonly HistoryEntry[],
  content: Record<string, unknown>,
): (Line | LineWithOutput)[] {
  const found = linesOf(history, content);
  if (content.output !== true) return found;
  const outputs = new Map(history.map(({ line, output }) => [line, output]));
  return found.map(([session, line, source]) => [session, line, [source, outputs.get(line) ?? null]]);
}

/** Finds the last cells, a range of them, or those that match a pattern with `*` and `?`. */
function linesOf(history: readonly HistoryEntry[], content: Record<string, unknown>): Line[] {
  const lines = history.map(({ line, source }): Line => [0, line, source]);
  const most = Number(content.n) > 0 ? Number(content.n) : lines.length;
  switch (content.hist_access_type) {
    case "range": {
      const start = Number(content.start) || 0;
      const stop = Number(content.stop) > 0 ? Number(content.stop) : Number.POSITIVE_INFINITY;
      const isThis = [0, -1, undefined].includes(content.session as number | undefined);
      return isThis ? lines.filter(([, line]) => line >= start && line < stop) : [];
    }
    case "search": {
      const pattern = globPattern(String(content.pattern ?? "*"));
      const found = lines.filter(([, , source]) => pattern.test(source));
      const last = new Map(found.map(line => [line[2], line]));
      return (content.unique === true ? [...last.values()] : found).slice(-most);
    }
    default:
      return lines.slice(-most);
  }
}

function globPattern(text: string): RegExp {
  const escaped = text
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*/g, "[\\s\\S]*")
    .replace(/\?/g, "[\\s\\S]");
  return new RegExp(`^${escaped}$`);
}
