/** Names in other tools and languages of gates, functions and statements, and the terms for them here. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ...Object.entries({ hadamard: "h", not: "x", cnot: "cx", toffoli: "ccx", ccnot: "ccx", fredkin: "cswap" }),
  ...Object.entries({ ccz: "ctrl(2) @ z", mcx: "ctrl(n) @ x", sd: "sdg", td: "tdg", dag: "inv @" }),
  ...Object.entries({ csdg: "ctrl @ sdg", mcz: "ctrl(n) @ z", mcp: "ctrl(n) @ p(angle)" }),
  ...Object.entries({ acos: "arccos", asin: "arcsin", atan: "arctan", ceil: "ceiling", fmod: "mod" }),
  ...Object.entries({ mz: "measure", measure_all: "c = measure q;", measurez: "measure", range: "[0:n]" }),
]);

/** Returns the hint `Did you mean …?` for the known name that is nearest to a mistyped one, if one is near enough. */
export function didYouMean(name: string, known: Iterable<string>): string | undefined {
  if (name.length > 64) return undefined;
  const foreign = /[^\0-\x7f]/u.exec(name)?.[0];
  if (foreign) {
    const code = foreign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
    return `The letter ${foreign} is U+${code}, not one of A to Z.`;
  }
  const elsewhere = ELSEWHERE.get(name.toLowerCase());
  if (elsewhere) return `Here it is written \`${elsewhere}\`.`;
  let nearest: string | undefined;
  let least = name.length === 1 ? 0.75 : Math.max(1, Math.floor(name.length / 3)) + 0.5;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) > least) continue;
    const distance = candidate.toLowerCase() === name.toLowerCase() ? 0.5 : editDistance(name, candidate);
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest && `Did you mean ${nearest}?`;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
