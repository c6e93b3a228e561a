import type { Circuit } from "../circuit/circuit.ts";
import { structuredBodyOf } from "../circuit/structured-body.ts";
import { type Element, elementsOf } from "./elements.ts";
import { gateLabel } from "./labels.ts";

const maxNamed = 12;

/** Describes a circuit in a sentence, for readers who do not see it: `Circuit on 2 qubits: H, X, measure`. */
export function describeCircuit({ parts, numQubits }: Circuit): string {
  const names: string[] = [];
  for (const element of elementsOf(structuredBodyOf(parts), parts, 0)) {
    if (names.push(nameOf(element)) > maxNamed) break;
  }
  const named = names.length > maxNamed ? [...names.slice(0, maxNamed), "…"] : names;
  return `Circuit on ${numQubits} ${numQubits === 1 ? "qubit" : "qubits"}: ${named.join(", ") || "no operations"}`;
}

function nameOf(element: Element): string {
  if (element.kind === "gate") {
    const { text, detail } = gateLabel(element.gate, element.params);
    return `${"C".repeat(element.gate.controls.length)}${text}${detail === "" ? "" : `(${detail})`}`;
  }
  if (element.kind === "block") return element.node.label;
  return "label" in element ? element.label : element.kind;
}
