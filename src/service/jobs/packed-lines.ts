import { unpackCounts } from "../../contract/packed-counts.ts";
import { type MemoryReader, readMeasurements, toBits } from "../../contract/packed-measurements.ts";
import type { ResultData } from "../../contract/result.ts";

/** Prefix of a program's data with packed counts or a packed memory. */
const PACKED = '{"packed';
/** Characters of a memory that are written at a time. */
const SLICE_LENGTH = 64 * 1024;

/** Whether a document of results, or the line of one program, begins with packed counts or a packed memory. */
export const isPacked = (text: string): boolean => text.startsWith(PACKED);

/** Passes on the lines of a document of results, with what is packed unpacked; a piece may begin and end anywhere. */
export async function* unpackLines(pieces: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let held = "";
  let isPlain = false;
  for await (const piece of pieces) {
    for (const [i, part] of piece.split("\n").entries()) {
      if (i > 0) {
        yield* unpackLine(held);
        yield "\n";
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
  yield* unpackLine(held);
}

function* unpackLine(line: string): Generator<string> {
  if (!isPacked(line)) return yield line;
  const { packedCounts, packedMeasurements, ...data } = JSON.parse(line) as ResultData;
  const rest = JSON.stringify({
    ...data,
    ...(packedCounts && { measurementCounts: unpackCounts(packedCounts) }),
  } satisfies ResultData);
  const memory = packedMeasurements && readMeasurements(packedMeasurements);
  if (!memory) return yield rest;
  yield rest.slice(0, -1);
  yield* writeList("measurements", memory, shot => toBits(memory.measurementAt(shot)));
  if (memory.outputsAt) yield* writeList("outputs", memory, memory.outputsAt);
  yield "}";
}

/** Writes a list of the shots of a memory as a property in JSON that follows others. */
function* writeList(
  name: "measurements" | "outputs",
  { shots, shotLength }: MemoryReader,
  at: (shot: number) => unknown,
): Generator<string> {
  const many = Math.max(1, Math.floor(SLICE_LENGTH / shotLength));
  yield `,"${name}":[`;
  for (let from = 0; from < shots; from += many) {
    const slice = Array.from({ length: Math.min(many, shots - from) }, (_, i) => at(from + i));
    yield (from > 0 ? "," : "") + JSON.stringify(slice).slice(1, -1);
  }
  yield "]";
}
