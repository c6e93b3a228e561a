import fc from "fast-check";

const NAMES = ["a", "b", "c"];
const name = fc.constantFrom(...NAMES);
const value = fc.oneof(
  fc.integer({ min: 0, max: 9 }).map(String),
  name,
  fc.tuple(name, name).map(([x, y]) => `(${x} + ${y}) % 97`),
  name.map(x => `await Promise.resolve(${x})`),
  name.map(x => `(() => ${x})()`),
  name.map(x => `await (async () => { await null; return ${x} })()`),
);
const statement = fc.oneof(
  fc.tuple(name, value).map(([x, v]) => `${x} = ${v};`),
  fc.tuple(name, name).map(([x, y]) => `[${x}, ${y}] = [${y}, ${x}];`),
  fc.tuple(name, value).map(([x, v]) => `{ let ${x} = 1; ${x} += ${v.includes(x) ? "2" : v}; log(${x}); }`),
  fc.tuple(name, name).map(([x, y]) => `readers.push(() => ${x} + ${y});`),
  fc.tuple(name, value).map(([x, v]) => `if (${x} % 2) { ${x} = ${v}; } else { log(${x}); }`),
  fc
    .tuple(name, fc.integer({ min: 1, max: 3 }))
    .map(([x, n]) => `for (let i = 0; i < ${n}; i++) { await null; ${x}++; }`),
  fc
    .tuple(name, value)
    .map(([x, v]) => `try { if (Number(${v})) throw ${x}; } catch (e) { log(e as number); }`),
  name.map(x => `Promise.resolve().then(() => log(${x}));`),
  name.map(x => `log(${x});`),
  fc.constantFrom(
    "for (const read of readers) log(read());",
    "log(bump());",
    "for (var i = 0; i < 3; i++) a += i;\nlog(i);",
    "for (var e of [a, b]);\nlog(e!);",
    "var late; log(late === undefined ? 1 : late); late = a;",
    "outer: for (const x of [1, 2, 3]) { for (;;) { if (x === 2) break outer; b += x; continue outer; } }",
    "for await (const v of (async function* () { yield a; yield b; })()) log(v);",
    "[a, b] = [...(function* () { yield b; yield a; })()];",
    "({ a, b = 3 } = { a: b, b: a });",
    "switch (a % 3) { case 0: log(0); break; case 1: b = a; default: c += 1; }",
    "try { if (a % 2) throw a; log(b); } catch (e) { c = e as number; } finally { b += 1; }",
    "{ using r = { [Symbol.dispose]() { log(a); } }; a += 1; }",
    "c = new (class { get v() { return a; } })().v;",
    "a ||= 2; b &&= a; c ??= b;",
    "const k# = await Promise.resolve(a); readers.push(() => k#);",
    "let l# = a; readers.push(() => l#++);",
    "function f#() { return a + b; } readers.push(f#);",
    "class C# { static s = a; #p = b; m() { return this.#p + C#.s; } } log(new C#().m());",
    "enum E# { X = 2, Y } a = E#.Y; log(E#.X);",
    "namespace N# { export const v = 3; } b += N#.v;",
    "const { x: x#, ...r# } = { x: a, y: b }; log(x# + r#.y);",
    "export const e# = c; log(e#);",
  ),
);
/** Statements of a module in TypeScript that runs, after a prologue that declares what they speak of. */
export const program = fc
  .array(statement, { minLength: 1, maxLength: 12 })
  .map(statements => statements.map((each, index) => each.replace(/#(?!p)/g, String(index))));

/** Declares `a`, `b`, `c`, `readers` and `bump`; `log` comes from outside. */
export const PROLOGUE = [
  "let a = 1; var b = 2; let c = 3;",
  "const readers: (() => number)[] = [];",
  "function bump(): number { a += 1; return a + b }",
];
/** Waits for what has been scheduled, and logs what is left. */
export const EPILOGUE = ["for (let turn = 0; turn < 5; turn++) await null;", "log(a); log(b); log(c);"];
