import type { Circuit } from "../circuit/circuit.ts";
import { type StructuredBody, type StructuredNode, structuredBodyOf } from "../circuit/structured-body.ts";
import { expandedCircuit } from "../specialize/residual.ts";
import { type BlockNode, type Element, elementsOf } from "./elements.ts";
import type { Frame, Item, Layout, Mark } from "./grid.ts";
import { frameLabel, gateLabel, paramsLabel, shortened } from "./labels.ts";
import { Rows } from "./rows.ts";

/** Options of a drawing: the part of a circuit that is drawn, and its layout. */
export interface DrawingOptions {
  /** Maximum number of columns of operations in a row; infinite for a single row. Default: as many as fit into the width. */
  fold?: number;
  /**
   * Whether the program's gate definitions are opened, or how many levels of them, and its loops written out as far
   * as they are known before the run. Default: false.
   */
  expand?: boolean | number;
  /** Whether qubits and registers that no operation touches are drawn; else a line names them. Default: false. */
  idleWires?: boolean;
  /** Whether the last qubit is on top. Default: false. */
  reverseBits?: boolean;
}

/** Maximum number of columns of a circuit that are drawn; the rest is counted. */
const MAX_COLUMNS = 200;
/** Labels of loops: `×4`, `for i in 0…n`, `while c`. */
const LOOP = /^(?:×|(?:for|while) |loops$)/;

/**
 * Puts each operation of a circuit into the first column in which its wires are free.
 *
 * @param execution - Operations to place instead of the circuit's, each in the next column.
 */
export function layOut(circuit: Circuit, options: DrawingOptions, execution?: readonly Element[]): Layout {
  const { expand = false } = options;
  const maxColumns = execution?.length ?? MAX_COLUMNS;
  const levels = expand === true ? Number.POSITIVE_INFINITY : Number(expand);
  const { parts } = (levels > 0 && expandedCircuit(circuit.parts)) || circuit;
  const body = structuredBodyOf(parts);
  const wires = new Rows(parts, body, options);
  const { rows, firstClassical } = wires;
  const columns: Item[][] = [];
  const frames: Frame[] = [];
  const phases: string[] = [];
  const enclosing: Frame[] = [];
  const free = new Uint32Array(rows.length);
  let hiddenOperations = 0;
  let open = rows.length;

  /** Takes the first column that is free in all rows of a range. */
  const takeColumn = (top: number, bottom: number): number => {
    let column = 0;
    for (let row = top; row <= bottom; row++) column = Math.max(column, free[row]!);
    for (let row = top; row <= bottom; row++) {
      if (free[row]! < maxColumns && column + 1 >= maxColumns) open--;
      free[row] = column + 1;
    }
    if (column < maxColumns) while (columns.length <= column) columns.push([]);
    return column;
  };

  const place = (
    marks: readonly Mark[],
    join: Item["join"] = "line",
    box: Item["box"] = null,
    reads: readonly number[] = [],
  ): void => {
    const drawn = marks.filter(({ row }) => row >= 0);
    const unique = [...new Map(drawn.toReversed().map(mark => [mark.row, mark])).values()].reverse();
    if (unique.length === 0) return;
    const count = Math.max(1, marks.filter(({ kind }) => kind === "measure").length);
    if (unique.every(({ row }) => row === wires.rest)) {
      hiddenOperations += count;
      return;
    }
    const touched = unique.map(({ row }) => row);
    const [top, bottom] = [Math.min(...touched), Math.max(...touched)];
    const column = takeColumn(Math.min(top, ...reads), Math.max(bottom, ...reads));
    if (column >= maxColumns) hiddenOperations += count;
    else columns[column]!.push({ marks: unique, box, top, bottom, join });
  };

  /** Places a labelled operation on several wires, whose marks on them are given, with marks on others. */
  const placeBox = (
    text: string,
    detail: string,
    pins: readonly Mark[],
    others: readonly Mark[],
    join?: Item["join"],
  ) => {
    const touched = [...new Set(pins.map(({ row }) => row).filter(row => row >= 0))];
    const [top, bottom] = [Math.min(...touched), Math.max(...touched)];
    if (touched.length < 2)
      place([...others, ...touched.map((row): Mark => ({ row, kind: "composite", text, detail }))], join);
    else if (others.some(({ row }) => top < row && row < bottom))
      place(
        [
          ...others,
          ...pins.map(
            (pin): Mark => ({ ...pin, kind: "composite", text: `${text} ${pin.text}`.trimEnd(), detail }),
          ),
        ],
        join,
      );
    else place([...others, ...pins], join, { top, bottom, text, detail });
  };

  const placeGate = ({ gate, params, qubits }: Element & { kind: "gate" }): void => {
    const { text, detail } = gateLabel(gate, params);
    const numControls = gate.controls.length - Number(gate.kind === "phase" && gate.controls.length > 0);
    const isControlled = numControls > 0 && gate.kind === "matrix";
    const marks = qubits.map((qubit, at): Mark => {
      const row = wires.qubit(qubit);
      if (at < numControls) return { row, kind: gate.controls[at] ? "control" : "open", text: "" };
      if (gate.kind === "swap") return { row, kind: "swap", text: "" };
      if (gate.kind === "composite")
        return { row, kind: "pin", text: gate.operandNames?.[at - numControls] ?? String(at - numControls) };
      if (isControlled && text === "X") return { row, kind: "target", text: "" };
      if (isControlled && text === "Z") return { row, kind: "control", text: "" };
      return { row, kind: "gate", text, detail };
    });
    if (qubits.length === 0) placePhase(params);
    else if (gate.kind === "composite")
      placeBox(text, detail, marks.slice(numControls), marks.slice(0, numControls));
    else place(marks);
  };

  /** Places a phase of the whole state: within a loop or a condition on all its wires, else below the drawing. */
  const placePhase = (params: readonly (number | string)[]): void => {
    const text = paramsLabel(params);
    const frame = enclosing.at(-1);
    if (!frame) {
      phases.push(text);
      return;
    }
    const pins = rows.flatMap(({ isClassical }, row): Mark[] =>
      row >= frame.top && row <= frame.bottom && !isClassical ? [{ row, kind: "pin", text: "" }] : [],
    );
    placeBox("gphase", text, pins, []);
  };

  /** Places an element; an assignment directly after a block comes after it, as it may use what the block computed. */
  const placeElement = (element: Element, before?: Element): void => {
    switch (element.kind) {
      case "gate":
        placeGate(element);
        return;
      case "measure": {
        const marks = element.qubits.map(
          (qubit): Mark => ({ row: wires.qubit(qubit), kind: "measure", text: "M" }),
        );
        const bits = element.bits.flatMap(bit => wires.bit(bit) ?? []);
        if (bits.length > 0) {
          const [first, last] = [bits[0]!, bits.at(-1)!];
          const text = first === last ? String(first.index ?? "") : `${first.index}:${last.index}`;
          place([...marks, { row: first.row, kind: "bit", text }], "double");
        } else for (const mark of marks) place([mark]);
        return;
      }
      case "reset":
        place([{ row: wires.qubit(element.qubit), kind: "reset", text: "|0⟩" }]);
        return;
      case "barrier":
        place(
          element.qubits.map(qubit => ({ row: wires.qubit(qubit), kind: "barrier", text: "" })),
          "dashed",
        );
        return;
      case "annotation": {
        const text = shortened(element.label);
        if (element.qubits.length === 0) {
          const used = before?.kind === "block" ? [...wires.reach(before.node)].filter(row => row >= 0) : [];
          const reads = [...wires.bits(element.reads ?? []), ...used];
          place([{ row: wires.assigned(element.bits), kind: "assignment", text }], "line", null, reads);
        }
        for (const row of wires.qubits(element.qubits)) place([{ row, kind: "delay", text }]);
        return;
      }
      case "computed": {
        const pins = wires.qubits(element.qubits).map((row): Mark => ({ row, kind: "pin", text: "" }));
        const bits = wires.bits(element.bits).map((row): Mark => ({ row, kind: "bit", text: "·" }));
        placeBox(shortened(element.label), "", pins, bits, bits.length > 0 ? "double" : "line");
        return;
      }
      case "block":
        placeFrame(element.node, element.otherwise);
    }
  };

  /** Places a loop or a condition; what is done where it does not hold has a frame whose left edge is the end of the other. */
  const placeFrame = (node: BlockNode, otherwise?: BlockNode): void => {
    const nodes = otherwise ? [node, otherwise] : [node];
    const reach = nodes.flatMap(each => [...wires.reach(each)]).filter(row => row >= 0);
    const assigned = nodes.flatMap(each => wires.assignments(each));
    const acted = [...reach.filter(row => row < firstClassical), ...assigned];
    const all = rows.flatMap(({ isClassical }, row) => (isClassical ? [] : [row]));
    const inside = [acted, reach, all].find(list => list.length > 0);
    if (!inside) {
      for (const each of nodes) walk(each.body);
      return;
    }
    const conditions = wires.bits(node.bits);
    const [top, bottom] = [Math.min(...inside), Math.max(...inside)];
    const [first, last] = [Math.min(top, ...reach, ...conditions), Math.max(bottom, ...reach, ...conditions)];
    const isCondition = node.bits.length > 0 || node.label.startsWith("if ");
    const kind = LOOP.test(node.label) ? "loop" : isCondition ? "condition" : "block";
    let start = takeColumn(first, last);
    if (start >= maxColumns) hiddenOperations++;
    const own: Frame[] = [];
    for (const each of nodes) {
      const frame: Frame = {
        ...{ label: frameLabel(each.label), kind, top, bottom, start },
        conditions: each === node ? conditions : [],
        ...{ end: Number.POSITIVE_INFINITY, topLevels: 1, bottomLevels: 1 },
      };
      own.push(frame);
      if (start < maxColumns) frames.push(frame);
      enclosing.push(frame);
      walk(each.body);
      enclosing.pop();
      start = takeColumn(first, last);
      if (start < maxColumns) frame.end = start;
      else hiddenOperations++;
    }
    const topLevels = Math.max(...own.map(frame => frame.topLevels));
    const bottomLevels = Math.max(...own.map(frame => frame.bottomLevels));
    for (const frame of own) Object.assign(frame, { topLevels, bottomLevels });
    const outer = enclosing.at(-1);
    if (outer?.top === top) outer.topLevels = Math.max(outer.topLevels, topLevels + 1);
    if (outer?.bottom === bottom) outer.bottomLevels = Math.max(outer.bottomLevels, bottomLevels + 1);
  };

  const walk = (nodes: StructuredBody): void => {
    let before: Element | undefined;
    for (const element of elementsOf(nodes, parts, levels)) {
      if (open === 0 && rows.length > 0) hiddenOperations += countOf(element);
      else placeElement(element, before);
      before = element;
    }
  };
  if (execution)
    execution.forEach((element, column) => {
      free.fill(column);
      columns.push([]);
      placeElement(element);
    });
  else walk(body);
  const more = hiddenOperations.toLocaleString("en-US");
  const notes = [
    phases.length > 0 ? `Global phase: ${shortened(phases.join(" + "))}` : "",
    wires.idle,
    hiddenOperations > 0 ? `… ${more} more operations` : "",
  ];
  return { rows, columns, frames, notes: notes.filter(note => note !== "") };
}

/** Returns how many operations an element comes to, a block with its ends. */
function countOf(element: Element): number {
  if (element.kind === "measure") return element.qubits.length;
  if (element.kind !== "block") return 1;
  return countOfNode(element.node) + (element.otherwise ? countOfNode(element.otherwise) - 1 : 0);
}

function countOfNode(node: StructuredNode): number {
  if (node.kind === "operations") return node.end - node.start;
  return node.kind === "block" ? node.body.reduce((sum, inner) => sum + countOfNode(inner), 2) : 1;
}
