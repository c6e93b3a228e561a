import fc from "fast-check";

const names = ["a", "b", "theta", "q_1", "γ"];
const name = fc.constantFrom(...names);

/** Texts of expressions, well formed and without a meaning. */
const expression: fc.Arbitrary<string> = fc.letrec<{ expression: string; item: string }>(tie => ({
  expression: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    name,
    fc.nat(1000).map(String),
    fc
      .double({ min: 0, noNaN: true, noDefaultInfinity: true })
      .map(value => (/[.e]/.test(String(value)) ? String(value) : `${value}.0`)),
    fc.constantFrom("true", "pi", '"0101"', "2.5im", "10ns", "3dt", "0xFf", "1_000", "$0"),
    fc
      .tuple(
        tie("expression"),
        fc.constantFrom(
          "+",
          "-",
          "*",
          "/",
          "%",
          "**",
          "<<",
          ">>",
          "<",
          ">=",
          "==",
          "!=",
          "&",
          "|",
          "^",
          "&&",
          "||",
        ),
        tie("expression"),
      )
      .map(([left, operator, right]) => `${left} ${operator} ${right}`),
    tie("expression").map(inner => `(${inner})`),
    fc.constantFrom(
      ".5",
      "1e1_0",
      "0b1_0",
      "0o17",
      "3.",
      "2 µs",
      "durationof({})",
      "complex(a)",
      "euler",
      "$12",
      "bool(c[0])",
    ),
    fc
      .tuple(fc.constantFrom("-", "!", "~"), tie("expression"))
      .map(([operator, inner]) => `${operator}(${inner})`),
    fc
      .tuple(name, fc.array(tie("item"), { minLength: 1, maxLength: 2 }))
      .map(([base, items]) => `${base}[${items.join(", ")}]`),
    fc
      .tuple(fc.constantFrom("sin", "mod", "f"), fc.array(tie("expression"), { maxLength: 2 }))
      .map(([called, args]) => `${called}(${args.join(", ")})`),
    fc
      .tuple(fc.constantFrom("int[8]", "float", "bool", "bit[4]", "angle[16]"), tie("expression"))
      .map(([type, inner]) => `${type}(${inner})`),
  ),
  item: fc.oneof(
    tie("expression"),
    fc.tuple(tie("expression"), tie("expression")).map(([from, to]) => `${from}:${to}`),
    fc.constantFrom(":", "0:", ":2", "0:2:6"),
  ),
})).expression;

/** Texts of well-formed programs in OpenQASM 3, whose names need not be declared. */
export const randomProgram: fc.Arbitrary<string> = fc.letrec<{ statement: string; block: string }>(tie => ({
  block: fc.array(tie("statement"), { maxLength: 3 }).map(body => `{ ${body.join(" ")} }`),
  statement: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc
      .tuple(
        fc.constantFrom(
          "int[8] ",
          "const uint ",
          "output float[64] ",
          "bit[3] ",
          "complex[float[32]] ",
          "input angle ",
        ),
        name,
        expression,
      )
      .map(([type, declared, value]) =>
        /^(in|out)put/.test(type) ? `${type}${declared};` : `${type}${declared} = ${value};`,
      ),
    fc
      .tuple(name, fc.constantFrom("=", "+=", "<<=", "**="), expression)
      .map(([target, operator, value]) => `${target} ${operator} ${value};`),
    fc.constantFrom(
      "qubit[3] r;",
      'include "stdgates.inc";',
      "barrier;",
      "end;",
      "reset q;",
      "let s = q[0:2] ++ r;",
      "delay[3ns] q;",
      "nop q;",
      "c[0] = measure q;",
      "measure q -> c;",
      "array[int[8], 2, 2] m = {{1, 2}, {3, 4}};",
      "extern f(int, readonly array[float, #dim = 1]) -> bit;",
      "@note x\nx q;",
      "pragma simulator noise\n",
      "cal { play(f0); }",
      "duration d = durationof({x q; box { delay[2ns] $0; }});",
      "qreg old[3];",
      "creg bits;",
      "let evens = r[{0, 2, -1}][1:];",
      "stretch gap;",
      "gphase(pi / 2);",
      "ctrl @ gphase(0.5) q[0];",
      "rx(0.5)[100ns] q;",
      "barrier q, r[0:1], $2,;",
      "nop;",
      "measure $0;",
      "bit parity = measure r[0];",
      "c[{0, 1}] = measure r[0:1];",
      "int k = f(1) q, r;",
      "m[1][0] = f q;",
      "teleport(0.5) q -> c[1];",
      "return;",
      "return measure q;",
      "break;",
      "continue;",
      "input array[angle[8], 4] table;",
      "reset $1;",
      "delay[gap + 2us];",
      'defcalgrammar "openpulse";',
      "defcal rz(angle[20] t) $0 { shift_phase(drive, t); }",
      "defcal measure q -> bit { if (a) { b; } }",
      "@a.b\n@c {x} y\nh q;",
      "#pragma braket noise\n",
      "if (a) x q; else if (b) { y q; } else z q;",
      "for bit v in c x q;",
      "while (a) b += 1;",
      "switch (a) {}",
      "def empty() {}",
      "def g(creg old[2], qreg bits, mutable array[bit[2], 3] w) -> complex[float[64]] { return 1.5im; }",
      "gate u3(a, b) x, y { ctrl(2) @ negctrl @ inv @ pow(a) @ U(a, b, 0) x, y; }",
      "{ { x q; } }",
    ),
    fc
      .tuple(fc.constantFrom("", "inv @ ", "ctrl(2) @ negctrl @ ", "pow(1 / 2) @ "), expression)
      .map(([modifiers, value]) => `${modifiers}rz(${value}) q, $1;`),
    fc
      .tuple(expression, tie("block"), fc.option(tie("block")))
      .map(
        ([condition, body, otherwise]) => `if (${condition}) ${body}${otherwise ? ` else ${otherwise}` : ""}`,
      ),
    fc.tuple(expression, tie("block")).map(([condition, body]) => `while (${condition}) ${body}`),
    fc
      .tuple(name, fc.constantFrom("[0:3]", "[6:-2:a]", "[:]", "{1, 2,}", "m", "m[0]"), tie("block"))
      .map(([loop, values, body]) => `for uint ${loop} in ${values} ${body}`),
    fc
      .tuple(expression, tie("block"), tie("block"))
      .map(([value, one, other]) => `switch (${value}) { case 0, 1 ${one} default ${other} }`),
    fc
      .tuple(name, tie("block"))
      .map(([defined, body]) => `def f(int[8] ${defined}, qubit[2] q) -> bit ${body}`),
    fc.tuple(name, expression).map(([qubit, angle]) => `gate g(t) ${qubit}, z { rx(${angle}) z; }`),
    fc
      .tuple(fc.option(fc.constantFrom("[2us]")), tie("block"))
      .map(([time, body]) => `box${time ?? ""} ${body}`),
  ),
})).statement;
