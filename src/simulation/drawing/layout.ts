import type { Circuit, Outline } from "../circuit/circuit.ts";
import { NO_BIT, OPERATION } from "../circuit/operations.ts";
import { gateLabel } from "./labels.ts";
import { type Row, Rows } from "./rows.ts";

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

/** A circuit on a grid of wires and columns. */
export interface Layout {
  readonly rows: readonly Row[];
  readonly columns: readonly (readonly Item[])[];
  /** Operations right of the last column that is drawn. */
  readonly hiddenOperations: number;
  readonly hiddenQubits: number;
}

/** Most columns that are drawn; the rest is counted. */
const MOST_COLUMNS = 200;

/** Puts each operation of a circuit into the first column in which its wires are free. */
export function layOut(circuit: Circuit): Layout {
  const { parts } = circuit;
  const wires = new Rows(parts);
  const { rows, firstClassical, hiddenQubits, shown } = wires;
  const columns: Item[][] = [];
  const free = new Uint32Array(rows.length);
  let hiddenOperations = 0;
  /** Rows that have a free column. */
  let open = rows.length;

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
    for (let row = top; row <= bottom; row++) {
      if (free[row]! < MOST_COLUMNS && column + 1 >= MOST_COLUMNS) open--;
      free[row] = column + 1;
    }
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
        const bit = operands[1] === NO_BIT ? undefined : wires.bit(operands[1]!);
        const marks: Mark[] = [{ row: wires.qubit(operands[0]!), kind: "measure", text: "M" }];
        if (bit) marks.push({ row: bit.row, kind: "bit", text: String(bit.index) });
        place(marks, "double");
        return;
      }
      case OPERATION.reset:
        place([{ row: wires.qubit(operands[0]!), kind: "reset", text: "|0⟩" }]);
        return;
      case OPERATION.barrier:
        place(
          operands.map(qubit => ({ row: wires.qubit(qubit), kind: "barrier", text: "" })),
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
          const row = wires.qubit(qubit);
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
      if (open === 0) hiddenOperations += countOf(node);
      else if (node.kind === "operations")
        for (let i = node.start; i < node.end; i++)
          if (open > 0) operation(i);
          else hiddenOperations++;
      else if (node.kind === "dynamic") {
        const marks = wires
          .qubits(node.qubits)
          .map((row, i): Mark => ({ row, kind: "composite", text: i === 0 ? node.label : "″" }));
        const bits = wires.bits(node.bits);
        place(
          [...marks, ...bits.map((row): Mark => ({ row, kind: "bit", text: "·" }))],
          bits.length > 0 ? "double" : "line",
        );
      } else {
        const reach = wires.reach(node);
        const condition = wires.bits(node.bits);
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

/** Returns how many operations a part of the outline comes to, each block with its ends. */
function countOf(node: Outline): number {
  if (node.kind === "operations") return node.end - node.start;
  return node.kind === "dynamic" ? 1 : node.body.reduce((sum, inner) => sum + countOf(inner), 2);
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
