import type { Circuit, CircuitParts, Outline } from "../circuit/circuit.ts";
import { NO_BIT, OPERATION } from "../circuit/operations.ts";
import { gateLabel } from "./labels.ts";

/** What is drawn on one wire in one column. */
export interface Mark {
  readonly row: number;
  readonly kind:
    | "gate"
    | "composite"
    | "control"
    | "open"
    | "target"
    | "swap"
    | "measure"
    | "bit"
    | "reset"
    | "barrier"
    | "begin"
    | "end"
    | "condition";
  readonly text: string;
}

/** What belongs together in one column, and how its marks are joined. */
export interface Item {
  readonly marks: readonly Mark[];
  readonly top: number;
  readonly bottom: number;
  readonly join: "line" | "double" | "dashed";
}

/** A wire: a qubit, a classical register, or the qubits that are left out. */
export interface Row {
  readonly label: string;
  readonly isClassical: boolean;
}

/** A circuit on a grid of wires and columns. */
export interface Layout {
  readonly rows: readonly Row[];
  readonly columns: readonly (readonly Item[])[];
  /** Operations right of the last column that is drawn. */
  readonly hiddenOperations: number;
  readonly hiddenQubits: number;
}

/** Most columns and qubits that are drawn; the rest is counted. */
const MOST_COLUMNS = 200;
const MOST_QUBITS = 60;

/** Puts each operation of a circuit into the first column in which its wires are free. */
export function layOut(circuit: Circuit): Layout {
  const { parts } = circuit;
  const shown = Math.min(parts.numQubits, MOST_QUBITS);
  const hiddenQubits = parts.numQubits - shown;
  const rows: Row[] = qubitLabels(parts, shown).map(label => ({ label, isClassical: false }));
  if (hiddenQubits > 0) rows.push({ label: `… ${hiddenQubits} more qubits`, isClassical: false });
  const firstClassical = rows.length;
  for (const { name, width } of parts.classical)
    rows.push({ label: width > 1 ? `${name}[${width}]` : name, isClassical: true });

  const bitRows = new Map<number, { row: number; index: number }>();
  parts.classical.forEach(({ offset, width }, i) => {
    for (let index = 0; index < width; index++)
      bitRows.set(offset + index, { row: firstClassical + i, index });
  });
  const rowOf = (qubit: number) => Math.min(qubit, shown);
  const columns: Item[][] = [];
  const free = new Uint32Array(rows.length);
  let hiddenOperations = 0;

  const place = (marks: readonly Mark[], join: Item["join"] = "line", span?: readonly number[]): void => {
    const unique = [...new Map(marks.toReversed().map(mark => [mark.row, mark])).values()].reverse();
    const touched = span ?? unique.map(({ row }) => row);
    if (touched.length === 0) return;
    const isHidden = hiddenQubits > 0 && touched.every(row => row >= shown);
    if (isHidden) {
      hiddenOperations++;
      return;
    }
    const top = touched.reduce((least, row) => Math.min(least, row), rows.length);
    const bottom = touched.reduce((most, row) => Math.max(most, row), 0);
    let column = 0;
    for (let row = top; row <= bottom; row++) column = Math.max(column, free[row]!);
    for (let row = top; row <= bottom; row++) free[row] = column + 1;
    if (column >= MOST_COLUMNS) {
      hiddenOperations++;
      return;
    }
    while (columns.length <= column) columns.push([]);
    columns[column]!.push({ marks: unique, top, bottom, join });
  };

  const operation = (i: number): void => {
    const { operations, gates } = parts;
    const operands = [
      ...operations.operands.subarray(operations.operandStarts[i]!, operations.operandStarts[i + 1]!),
    ];
    switch (operations.kinds[i]) {
      case OPERATION.measure: {
        const bit = operands[1] === NO_BIT ? undefined : bitRows.get(operands[1]!);
        const marks: Mark[] = [{ row: rowOf(operands[0]!), kind: "measure", text: "M" }];
        if (bit) marks.push({ row: bit.row, kind: "bit", text: String(bit.index) });
        place(marks, "double");
        return;
      }
      case OPERATION.reset:
        place([{ row: rowOf(operands[0]!), kind: "reset", text: "|0⟩" }]);
        return;
      case OPERATION.barrier:
        place(
          operands.map(qubit => ({ row: rowOf(qubit), kind: "barrier", text: "" })),
          "dashed",
        );
        return;
      default: {
        const gate = gates[operations.gates[i]!]!;
        const params = [
          ...operations.params.subarray(operations.paramStarts[i]!, operations.paramStarts[i + 1]!),
        ];
        const label = gateLabel(gate, params);
        const controls = gate.controls.length;
        const isPhase = gate.kind === "phase";
        const marks = operands.map((qubit, at): Mark => {
          const row = rowOf(qubit);
          if (isPhase && at === controls - 1)
            return { row, kind: "gate", text: `P(${label.split("(")[1] ?? ""}` };
          if (at < controls) return { row, kind: gate.controls[at] ? "control" : "open", text: "" };
          if (gate.kind === "swap") return { row, kind: "swap", text: "" };
          if (gate.kind === "composite")
            return {
              row,
              kind: "composite",
              text: operands.length - controls > 1 ? `${label} ${at - controls}` : label,
            };
          return controls > 0 && label === "X"
            ? { row, kind: "target", text: "" }
            : { row, kind: "gate", text: label };
        });
        place(marks);
        return;
      }
    }
  };

  const walk = (nodes: readonly Outline[]): void => {
    for (const node of nodes) {
      if (node.kind === "operations") for (let i = node.start; i < node.end; i++) operation(i);
      else if (node.kind === "dynamic") {
        const marks = node.qubits.map(
          (qubit, i): Mark => ({ row: rowOf(qubit), kind: "composite", text: i === 0 ? node.label : "″" }),
        );
        const bits = node.bits.flatMap(bit => bitRows.get(bit) ?? []);
        place(
          [...marks, ...bits.map(({ row }): Mark => ({ row, kind: "bit", text: "·" }))],
          bits.length > 0 ? "double" : "line",
        );
      } else {
        const reach = rowsOf(node.body, parts, rowOf, bitRows);
        const condition = node.bits.flatMap(bit => bitRows.get(bit)?.row ?? []);
        const qubits = [...reach].filter(row => row < firstClassical);
        const top = Math.min(...qubits);
        const bottom = Math.max(...qubits);
        if (qubits.length > 0) {
          const frame = Array.from({ length: bottom - top + 1 }, (_, i) => top + i);
          const span = [...reach, ...condition];
          const begin = frame.map(
            (row): Mark => ({ row, kind: "begin", text: row === top ? node.label : "" }),
          );
          place(
            [...begin, ...condition.map((row): Mark => ({ row, kind: "condition", text: "" }))],
            "line",
            span,
          );
          walk(node.body);
          place(
            frame.map(row => ({ row, kind: "end", text: "" })),
            "line",
            span,
          );
        } else walk(node.body);
      }
    }
  };
  walk(parts.outline);
  return { rows, columns, hiddenOperations, hiddenQubits };
}

function qubitLabels(parts: CircuitParts, shown: number): string[] {
  const labels: string[] = [];
  for (const { name, offset, size } of parts.quantum)
    for (let i = 0; i < size && offset + i < shown; i++)
      labels.push(name === "$" ? `$${i}` : size > 1 ? `${name}[${i}]` : name);
  return labels;
}

function rowsOf(
  nodes: readonly Outline[],
  parts: CircuitParts,
  rowOf: (qubit: number) => number,
  bitRows: ReadonlyMap<number, { row: number }>,
): Set<number> {
  const rows = new Set<number>();
  const { kinds, operands, operandStarts } = parts.operations;
  const walk = (inner: readonly Outline[]): void => {
    for (const node of inner) {
      if (node.kind === "block") walk(node.body);
      else if (node.kind === "dynamic") {
        for (const qubit of node.qubits) rows.add(rowOf(qubit));
        for (const bit of node.bits) if (bitRows.has(bit)) rows.add(bitRows.get(bit)!.row);
      } else
        for (let i = node.start; i < node.end; i++)
          for (let at = operandStarts[i]!; at < operandStarts[i + 1]!; at++) {
            const isBit = kinds[i] === OPERATION.measure && at === operandStarts[i]! + 1;
            if (!isBit) rows.add(rowOf(operands[at]!));
            else if (bitRows.has(operands[at]!)) rows.add(bitRows.get(operands[at]!)!.row);
          }
    }
  };
  walk(nodes);
  return rows;
}

/** Splits columns of given widths into as few runs as fit into a total width, each with at least one column. */
export function wrapColumns(widths: readonly number[], total: number): { start: number; end: number }[] {
  const runs: { start: number; end: number }[] = [];
  let start = 0;
  let used = 0;
  widths.forEach((width, i) => {
    if (i > start && used + width > total) {
      runs.push({ start, end: i });
      start = i;
      used = 0;
    }
    used += width;
  });
  runs.push({ start, end: widths.length });
  return runs;
}

/** Says what a drawing leaves out, or gives nothing. */
export function remainder({ hiddenOperations }: Layout): string {
  return hiddenOperations > 0 ? `… ${hiddenOperations.toLocaleString("en-US")} more operations` : "";
}
