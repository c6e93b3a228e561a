import fc from "fast-check";

const angle = fc.oneof(
  fc.integer({ min: -8, max: 8 }).map(eighths => `${eighths} * pi / 4`),
  fc.double({ min: -6, max: 6, noNaN: true }).map(String),
);

const LETTERS = ["h", "x", "y", "z", "s", "sdg", "t", "tdg", "sx"];
const TURNS = ["rx", "ry", "rz", "p"];
const PAIRS = ["cx", "cy", "cz", "ch", "swap"];
const TURNED_PAIRS = ["cp", "crx", "cry", "crz"];

/** Lines of gates on up to so many qubits. */
function gate(numQubits: number): fc.Arbitrary<string> {
  const on = (count: number) =>
    fc
      .shuffledSubarray([...Array(numQubits).keys()], { minLength: count, maxLength: count })
      .map(qubits => qubits.map(qubit => `q[${qubit}]`).join(", "));
  const call = (names: readonly string[], count: number) =>
    fc.tuple(fc.constantFrom(...names), on(count)).map(([name, qubits]) => `${name} ${qubits};`);
  const turn = (names: readonly string[], count: number) =>
    fc
      .tuple(fc.constantFrom(...names), angle, on(count))
      .map(([name, theta, qubits]) => `${name}(${theta}) ${qubits};`);
  return fc.oneof(
    call(LETTERS, 1),
    turn(TURNS, 1),
    ...(numQubits > 1 ? [call(PAIRS, 2), call(["cx"], 2), turn(TURNED_PAIRS, 2)] : []),
    ...(numQubits > 2 ? [call(["ccx", "cswap"], 3), turn(["ctrl(2) @ ry"], 3)] : []),
  );
}

/** Gates, and now and then a measurement, a reset, a barrier, a branch or a loop. */
function line(numQubits: number): fc.Arbitrary<string> {
  const index = fc.integer({ min: 0, max: numQubits - 1 });
  const inner = fc.array(gate(numQubits), { minLength: 1, maxLength: 3 }).map(lines => lines.join(" "));
  return fc.oneof(
    { arbitrary: gate(numQubits), weight: 8 },
    { arbitrary: fc.tuple(index, index).map(([bit, at]) => `c[${bit}] = measure q[${at}];`), weight: 1 },
    { arbitrary: index.map(at => `reset q[${at}];`), weight: 1 },
    { arbitrary: fc.constant("barrier q;"), weight: 1 },
    {
      arbitrary: fc
        .tuple(index, inner, inner)
        .map(([bit, one, zero]) => `if (c[${bit}]) { ${one} } else { ${zero} }`),
      weight: 1,
    },
    {
      arbitrary: inner.map(
        body =>
          `for int i in [0:${numQubits - 1}] { ry(0.3 * i + 0.1) q[i]; if (c[i]) { ${body} } c[i] = measure q[i]; }`,
      ),
      weight: 1,
    },
  );
}

const sized = (lines: (numQubits: number) => fc.Arbitrary<string>, maxLength: number) =>
  fc
    .integer({ min: 1, max: 5 })
    .chain(numQubits =>
      fc
        .array(lines(numQubits), { minLength: 1, maxLength })
        .map(body => ({ numQubits, body: body.join("\n") })),
    );

/** Programs of gates alone. */
export const unitaryProgram = sized(gate, 20);
/** Programs with mid-circuit measurement, reset and control flow. */
export const dynamicProgram = sized(line, 12);
