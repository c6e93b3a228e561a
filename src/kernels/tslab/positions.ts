import { SourceMap } from "node:module";
import type { Place, Places } from "../errors/places.ts";

/** A cell as it is run: its source, and the maps that lead back there, the last one first. */
export interface RunText {
  source: string;
  /** Lines of the program. What stands below them is the kernel's. */
  lines: number;
  /** Lines that the compiler saw before the source. */
  prefixLines: number;
  maps: readonly string[];
}

/** Knows where in the cells a running program is. */
export interface Positions extends Places {
  /** Announces a cell of some execution count. Returns a number that it shares with no other run. */
  open(cell: number): number;
  /** Takes in the cell that was announced last. Returns the name under which its program is to run. */
  add(text: RunText): string;
}

/** Where a cell waits for something: the number of its run, and line and column as the compiler counts them. */
export type AwaitPlace = readonly [run: number, line: number, column: number];

const KEPT = 2000;
const FRAME = /^\s+at (?:async )?(?:(.*) \()?Cell\[\d+-(\d+)\]:(\d+):(\d+)\)?$/;

/** Opens a register of the cells that have run lately. `awaitedAt` says where they waited for what failed. */
export function openPositions(awaitedAt: (error: object) => readonly AwaitPlace[]): Positions {
  const texts = new Map<number, Partial<RunText> & { cell: number; read?: SourceMap[] }>();
  let runs = 0;

  function placeAt(run: number, line: number, column: number, within?: string): Place | undefined {
    const { source, prefixLines = 0, cell = 0 } = texts.get(run) ?? {};
    const own = line - prefixLines;
    if (source === undefined || own < 0 || own >= source.split("\n").length) return undefined;
    const name = within?.replace(/^(?:Proxy|Object)\./, "");
    return { cell, source, line: own + 1, column, ...(name && { within: name }) };
  }

  return {
    open(cell) {
      runs += 1;
      texts.set(runs, { cell });
      texts.delete(runs - KEPT);
      return runs;
    },
    add(text) {
      const known = texts.get(runs);
      Object.assign(known ?? {}, text);
      return `Cell[${known?.cell}-${runs}]`;
    },
    placeOf(frame) {
      const [, within, run, line, column] = FRAME.exec(frame) ?? [];
      const text = texts.get(Number(run));
      if (!text?.maps) return undefined;
      text.read ??= text.maps.map(map => new SourceMap(JSON.parse(map)));
      // The first line of what runs holds nothing but its name.
      let at = { line: Number(line) - 2, column: Number(column) - 1 };
      if (at.line >= (text.lines ?? 0)) return undefined;
      for (const map of text.read) {
        const entry = map.findEntry(at.line, at.column);
        if (!("originalLine" in entry)) return undefined;
        at = { line: entry.originalLine, column: entry.originalColumn };
      }
      return placeAt(Number(run), at.line, at.column, within);
    },
    awaitedAt: error =>
      awaitedAt(error)
        .map(([run, line, column]) => placeAt(run, line, column))
        .filter(place => place !== undefined),
  };
}
