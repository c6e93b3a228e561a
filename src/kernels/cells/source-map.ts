/** A place in a string. Both are counted from 0; columns count UTF-16 units. */
export interface LineColumn {
  line: number;
  column: number;
}

type Segment = readonly [generatedColumn: number, line: number, column: number];

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Reads the `mappings` of a source map. Returns a function from places in the code to places in the source. */
export function readMappings(mappings: string): (place: LineColumn) => LineColumn | undefined {
  const lines: Segment[][] = [];
  let [line, column] = [0, 0];
  for (const text of mappings.split(";")) {
    const segments: Segment[] = [];
    let generated = 0;
    for (const part of text.split(",")) {
      const [step, , lineStep = 0, columnStep = 0] = numbersIn(part);
      if (step === undefined) continue;
      generated += step;
      line += lineStep;
      column += columnStep;
      segments.push([generated, line, column]);
    }
    lines.push(segments);
  }
  return place => {
    const found = lines[place.line]?.findLast(([generated]) => generated <= place.column);
    return found && { line: found[1], column: found[2] };
  };
}

function numbersIn(text: string): number[] {
  const numbers: number[] = [];
  let [value, shift] = [0, 0];
  for (const character of text) {
    const digit = DIGITS.indexOf(character);
    value += (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}

/** The offsets at which the lines of a string begin. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** The place of an offset in a string whose lines begin at `starts`. */
export function placeAt(starts: readonly number[], offset: number): LineColumn {
  const line = starts.findLastIndex(start => start <= offset);
  return { line, column: offset - starts[line]! };
}
