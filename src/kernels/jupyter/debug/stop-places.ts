import type { Debugger, Runtime } from "node:inspector";
import { compileCell } from "../../cells/compile.ts";
import type { LineColumn } from "../../cells/source-map.ts";
import type { Language } from "../../cells/syntax.ts";
import { oxc } from "../syntax.ts";
import { connectInspector, type Inspector } from "./inspector.ts";
import type { SourceScript } from "./scripts.ts";

/** A place in a script where it can stop, and the place in the source that it belongs to. */
export interface StopPlace {
  location: Debugger.Location;
  place: LineColumn;
}

const WRAPPER = "(async () => {";

export async function stopPlaces(
  inspector: Inspector,
  scriptId: string,
  placesOf: SourceScript["placesOf"],
): Promise<StopPlace[]> {
  const { locations } = await inspector.ask<Debugger.GetPossibleBreakpointsReturnType>(
    "Debugger.getPossibleBreakpoints",
    { start: { scriptId, lineNumber: 0, columnNumber: 0 } },
  );
  const places = await placesOf(
    locations.map(({ lineNumber, columnNumber = 0 }) => ({ line: lineNumber, column: columnNumber })),
  );
  return locations.flatMap((location, index) => {
    const place = places[index];
    return place ? [{ location, place }] : [];
  });
}

/** Returns the places where a cell that has not run yet can stop. The cell is compiled in this thread for that. */
export async function placesBefore(source: string, language: Language): Promise<StopPlace[]> {
  const cell = compileCell(oxc, source, { run: 0, language, known: new Map(), globals: new Set() });
  if ("mistakes" in cell) return [];
  const inspector = connectInspector("here");
  try {
    await inspector.ask("Runtime.enable");
    await inspector.ask("Debugger.enable");
    const { scriptId } = await inspector.ask<Runtime.CompileScriptReturnType>("Runtime.compileScript", {
      expression: `${WRAPPER}${cell.code}\n})`,
      sourceURL: "",
      persistScript: true,
    });
    if (scriptId === undefined) return [];
    return await stopPlaces(inspector, scriptId, async places =>
      places
        .map(({ line, column }) => ({ line, column: line === 0 ? column - WRAPPER.length : column }))
        .map(place => (place.column < 0 ? undefined : cell.map.placeOf(place))),
    );
  } finally {
    inspector.close();
  }
}

/** The first place to stop at in a line, or in the next one that has any. Lines are counted from 1. */
export function firstFrom(places: readonly StopPlace[], line: number): StopPlace | undefined {
  const after = places.filter(({ place }) => place.line >= line - 1);
  return after.toSorted((a, b) => a.place.line - b.place.line || a.place.column - b.place.column)[0];
}
