import type { CellMap, CompiledCell } from "../cells/compile.ts";
import type { Place, Places } from "../errors/places.ts";
import type { AwaitPlace } from "./cell-runtime.ts";

/** Knows where in the cells that have run lately a running program is. */
export interface CellRuns extends Places {
  /** Takes in a cell that is about to run. Returns the name of its script. */
  add(cell: CompiledCell, count: number): string;
}

interface KnownRun {
  count: number;
  source: string;
  cell: { map: CellMap };
}

const KEPT = 2000;
const FRAME = /^\s+at (?:async )?(?:(.*) \()?Cell\[\d+-(\d+)\]:(\d+):(\d+)\)?$/;

/** Opens a register of cells. `awaitedAt` says where they waited for what failed. */
export function openCellRuns(awaitedAt: (error: object) => readonly AwaitPlace[]): CellRuns {
  const runs = new Map<number, KnownRun>();

  function placeIn(
    run: number,
    find: (map: CellMap) => { line: number; column: number } | undefined,
  ): Place | undefined {
    const known = runs.get(run);
    const found = known && find(known.cell.map);
    return found && { cell: known.count, source: known.source, line: found.line + 1, column: found.column };
  }

  return {
    add(cell, count) {
      runs.set(cell.run, { count, source: cell.source, cell });
      runs.delete(cell.run - KEPT);
      return `Cell[${count}-${cell.run}]`;
    },
    placeOf(frame) {
      const [, within, run, line, column] = FRAME.exec(frame) ?? [];
      const name = within?.replace(/^(?:Proxy|Object)\./, "");
      const place = placeIn(Number(run), map =>
        map.placeOf({ line: Number(line) - 1, column: Number(column) - 1 }),
      );
      return place && { ...place, ...(name && !name.includes("<anonymous>") && { within: name }) };
    },
    awaitedAt: error =>
      awaitedAt(error)
        .map(([run, offset]) => placeIn(run, map => map.placeOfOffset(offset)))
        .filter(place => place !== undefined),
  };
}
