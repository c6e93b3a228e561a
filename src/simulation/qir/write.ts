import type { Circuit } from "../circuit/circuit.ts";
import { sizeOf } from "../circuit/gate.ts";
import { visitPrimitives } from "../circuit/primitives.ts";
import { SimulationError } from "../errors.ts";
import { remembered } from "../memoized.ts";
import { leadsBack, type SingleStep, type TraceBlock, visitSteps } from "../specialize/blocks.ts";
import { traceOf } from "../specialize/trace.ts";
import { writeGate } from "./gates.ts";

const MAX_LINES = 1_000_000;

/**
 * Writes a circuit as QIR in text form (`.ll`): the base profile where every measurement ends its qubit, and else the
 * adaptive one, in which choices by measured bits are branches. What is known before the run is computed: loops are
 * written out. Gates that QIR does not have are decomposed; a phase of the whole state is left out.
 * Throws a {@link SimulationError} where that comes to too many lines, or where a register ends with ones that were not measured.
 */
export function toQir({ parts, numQubits }: Circuit): string {
  const lines: string[] = [];
  const used = new Set<string>();
  const measured = new Set<number>();
  const written = new Set<number>();
  const registers = parts.classical.flatMap(({ offset, width }) =>
    Array.from({ length: width }, (_, i) => offset + i),
  );
  /** The result of each bit: those of the registers first, in their order. */
  const results = new Map(registers.map((bit, i) => [bit, i]));
  let numResults = registers.length;
  let numReads = 0;
  const blocks = traceOf(parts);
  let isAdaptive = blocks.length > 1;

  const checkRoom = (added: number): void => {
    if (lines.length + added > MAX_LINES)
      throw new SimulationError(
        `The program comes to more than ${MAX_LINES.toLocaleString("en-US")} calls, too many to write out.`,
      );
  };
  const line = (signature: string, args: readonly string[], to = ""): void => {
    used.add(signature);
    lines.push(`  ${to}call ${signature.slice(0, signature.indexOf("("))}(${args.join(", ")})`);
    checkRoom(0);
  };
  const call = (name: string, params: readonly number[], qubits: readonly number[]): void => {
    const types = [...params.map(() => "double"), ...qubits.map(() => "%Qubit*")].join(", ");
    line(`void @__quantum__qis__${name}(${types})`, [
      ...params.map(value => `double ${double(value)}`),
      ...qubits.map(qubit => pointer("Qubit", qubit)),
    ]);
  };
  const resultOf = (bit: number): number => remembered(results, bit, () => numResults++);

  const write = (step: SingleStep): void => {
    if (step.kind === "gate") {
      checkRoom(sizeOf(step.gate));
      visitPrimitives(step.gate, step.params, step.qubits, primitive => {
        isAdaptive ||= primitive.qubits.some(qubit => measured.has(qubit));
        writeGate(primitive, call);
      });
    } else if (step.kind === "measure") {
      const { qubit, bit } = step;
      isAdaptive ||= measured.has(qubit);
      measured.add(qubit);
      if (bit !== null) written.add(bit);
      const result = bit === null ? numResults++ : resultOf(bit);
      line("void @__quantum__qis__mz__body(%Qubit*, %Result*)", [
        pointer("Qubit", qubit),
        pointer("Result", result),
      ]);
    } else if (step.kind === "reset") {
      isAdaptive = true;
      call("reset__body", [], [step.qubit]);
    }
  };
  const leave = ({ next }: TraceBlock): void => {
    if (next.kind === "jump") lines.push(`  br label %${label(next.to)}`);
    else if (next.kind === "fork") {
      const read = `%r${numReads++}`;
      const result = pointer("Result", resultOf(next.bit));
      line("i1 @__quantum__rt__read_result(%Result*)", [result], `${read} = `);
      lines.push(`  br i1 ${read}, label %${label(next.one)}, label %${label(next.zero)}`);
    } else {
      const isUnmeasured = (bit: number) =>
        next.set.get(bit) === 1 || (next.set.has(bit) && written.has(bit));
      if (registers.some(isUnmeasured))
        throw new SimulationError(
          "The program ends with bits that it has set itself; QIR records nothing but what was measured.",
        );
      lines.push(
        `  call void @__quantum__rt__array_record_output(i64 ${registers.length}, i8* null)`,
        ...registers.map(
          (_, i) => `  call void @__quantum__rt__result_record_output(${pointer("Result", i)}, i8* null)`,
        ),
        "  ret void",
      );
    }
  };

  blocks.forEach((block, i) => {
    lines.push(`${i === 0 ? "entry" : label(i)}:`);
    for (const step of block.steps) visitSteps(step, parts, write);
    leave(block);
  });
  const profile = isAdaptive ? "adaptive_profile" : "base_profile";
  const flags = [
    'i32 1, !"qir_major_version", i32 1',
    'i32 7, !"qir_minor_version", i32 0',
    'i32 1, !"dynamic_qubit_management", i1 false',
    'i32 1, !"dynamic_result_management", i1 false',
    ...(leadsBack(blocks) ? ['i32 7, !"backwards_branching", i2 -1'] : []),
  ];
  return `${[
    "%Result = type opaque",
    "%Qubit = type opaque",
    "",
    "define void @main() #0 {",
    ...lines,
    "}",
    "",
    ...[...used].sort().map(signature => `declare ${signature}`),
    "declare void @__quantum__rt__array_record_output(i64, i8*)",
    "declare void @__quantum__rt__result_record_output(%Result*, i8*)",
    "",
    `attributes #0 = { "entry_point" "output_labeling_schema" "qir_profiles"="${profile}" "required_num_qubits"="${numQubits}" "required_num_results"="${numResults}" }`,
    "",
    `!llvm.module.flags = !{${flags.map((_, i) => `!${i}`).join(", ")}}`,
    ...flags.map((flag, i) => `!${i} = !{${flag}}`),
  ].join("\n")}\n`;
}

const label = (block: number): string => `block_${block}`;

const pointer = (type: string, place: number): string =>
  place === 0 ? `%${type}* null` : `%${type}* inttoptr (i64 ${place} to %${type}*)`;

/** Writes a real number so that LLVM reads back the same one. */
function double(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return value.toFixed(1);
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return `0x${view.getBigUint64(0).toString(16).toUpperCase().padStart(16, "0")}`;
}
