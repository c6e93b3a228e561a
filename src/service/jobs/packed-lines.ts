import { unpackCounts } from "../../contract/packed-counts.ts";
import type { ResultData } from "../../contract/result.ts";

/** How the data of a program begins whose counts are stored in their packed form. */
const PACKED = '{"packedCounts":';

/** Whether a document of results, or the line of one program, begins with packed counts. */
export const isPacked = (text: string): boolean => text.startsWith(PACKED);

/** Passes on the lines of a document of results, those with packed counts with them unpacked; a piece may begin and end anywhere. */
export async function* unpackLines(pieces: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let held = "";
  let isPlain = false;
  for await (const piece of pieces) {
    for (const [i, part] of piece.split("\n").entries()) {
      if (i > 0) {
        yield `${unpackLine(held)}\n`;
        held = "";
        isPlain = false;
      }
      held += part;
      isPlain ||= held.length >= PACKED.length && !isPacked(held);
      if (!isPlain) continue;
      yield held;
      held = "";
    }
  }
  yield unpackLine(held);
}

function unpackLine(line: string): string {
  if (!isPacked(line)) return line;
  const { packedCounts, ...data } = JSON.parse(line) as ResultData;
  return JSON.stringify({ ...data, measurementCounts: unpackCounts(packedCounts) } satisfies ResultData);
}
