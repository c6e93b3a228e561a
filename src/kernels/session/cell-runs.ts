import type { CellMap, CompiledCell } from "../cells/compile.ts";
import type { Place, Places } from "../errors/failure.ts";
import type { AwaitPlace } from "./cell-runtime.ts";

/** Knows where in the cells that have run lately a running program is. */
export type CellRuns = ReturnType<typeof openCellRuns>;

interface CellRun {
  count: number;
  source: string;
  cell: { map: CellMap };
}

const MAX_RUNS = 2000;
const FRAME = /^\s+at (?:async )?(?:(.*) \()?(.+):(\d+):(\d+)\)?$/;

/** The number of the run whose script has a name; undefined for the name of anything else. */
export function cellRunOf(name: string): number | undefined {
  const run = /^Cell\[\d+-(\d+)\]$/.exec(name)?.[1];
  return run === undefined ? undefined : Number(run);
}

interface CellRunsParts extends Pick<Places, "isOfKernel"> {
  awaitedAt(error: object): readonly AwaitPlace[];
  /** The notebook's own module that a script's URL, or path, is of; default: none. */
  moduleAt?(script: string): { title: string; source: string } | undefined;
}

export function openCellRuns({ awaitedAt, moduleAt, isOfKernel }: CellRunsParts) {
  const runs = new Map<number, CellRun>();

  function placeIn(
    run: number,
    find: (map: CellMap) => { line: number; column: number } | undefined,
  ): Place | undefined {
    const known = runs.get(run);
    const found = known && find(known.cell.map);
    return (
      found && {
        title: `Cell [${known.count}], line ${found.line + 1}`,
        source: known.source,
        line: found.line + 1,
        column: found.column,
      }
    );
  }

  return {
    isOfKernel,
    get: (run: number) => runs.get(run),
    /** Takes in a cell that is about to run. Returns the name of its script. */
    add(cell: CompiledCell, count: number) {
      runs.set(cell.run, { count, source: cell.source, cell });
      runs.delete(cell.run - MAX_RUNS);
      return `Cell[${count}-${cell.run}]`;
    },
    placeOf(frame: string): Place | undefined {
      const [, within, script = "", ...numbers] = FRAME.exec(frame) ?? [];
      const [line, column] = [Number(numbers[0]), Number(numbers[1]) - 1];
      const run = cellRunOf(script);
      const module = run === undefined ? moduleAt?.(script) : undefined;
      const place = module
        ? { ...module, title: `${module.title}:${line}:${column + 1}`, line, column }
        : placeIn(Number(run), map => map.placeOf({ line: line - 1, column }));
      const name = within?.replace(/^(?:Proxy|Object|globalThis)\.|^eval$/, "");
      return place && { ...place, ...(name && !name.includes("<anonymous>") && { within: name }) };
    },
    awaitedAt: (error: object): Place[] =>
      awaitedAt(error)
        .map(([run, offset]) => placeIn(run, map => map.placeOfOffset(offset)))
        .filter(place => place !== undefined),
  };
}
