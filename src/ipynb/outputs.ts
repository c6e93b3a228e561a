import type { IMimeBundle } from "@jupyterlab/nbformat";
import type { JsonObject, Message, Output, RichOutput } from "./format.ts";

type Fields = Record<string, unknown>;

export type Outputs = ReturnType<typeof collectOutputs>;

export interface CellOutputs {
  readonly outputs: Output[];
  /** The last texts written to standard error, one a message, the newest last. */
  readonly errorTexts: string[];
}

interface OpenCell extends CellOutputs {
  bytes: number;
  clearNext: boolean;
}

interface Shown {
  cell: OpenCell;
  output: RichOutput;
  bytes: number;
}

const MAX_ERROR_TEXTS = 100;

/** Opens a collector. A cell's outputs are cut with a note at `maxBytes`. */
export function collectOutputs(maxBytes: number) {
  const cells = new Map<string, OpenCell>();
  const shown = new Map<string, Shown[]>();

  function add(cell: OpenCell, output: Output, bytes: number): void {
    if (cell.clearNext) clear(cell);
    if (!fits(cell, bytes)) return;
    const last = cell.outputs.at(-1);
    if (output.output_type === "stream" && last?.output_type === "stream" && last.name === output.name) {
      last.text += output.text;
    } else {
      cell.outputs.push(output);
    }
  }

  function fits(cell: OpenCell, bytes: number): boolean {
    if (cell.bytes > maxBytes) return false;
    cell.bytes += bytes;
    if (cell.bytes <= maxBytes) return true;
    const text = `\n[What this cell puts out beyond ${Math.round(maxBytes / 1e6)} MB is left out.]\n`;
    cell.outputs.push({ output_type: "stream", name: "stderr", text });
    return false;
  }

  function update(content: Fields): void {
    const bytes = sizeOf([content.data, content.metadata]);
    for (const entry of shown.get(displayId(content) ?? "") ?? []) {
      const total = entry.cell.bytes - entry.bytes + bytes;
      if (total > maxBytes) continue;
      entry.cell.bytes = total;
      entry.bytes = bytes;
      Object.assign(entry.output, bundle(content));
    }
  }

  function show(cell: OpenCell, output: RichOutput, content: Fields): void {
    const id = displayId(content);
    const bytes = sizeOf([content.data, content.metadata]);
    add(cell, output, bytes);
    if (id === undefined || cell.outputs.at(-1) !== output) return;
    const entries = shown.get(id) ?? [];
    entries.push({ cell, output, bytes });
    shown.set(id, entries);
  }

  return {
    /** Opens a cell, whose messages answer the request of that id. */
    open(request: string): CellOutputs {
      const cell: OpenCell = { outputs: [], errorTexts: [], bytes: 0, clearNext: false };
      cells.set(request, cell);
      return cell;
    },
    /** Takes in a published message; one that belongs to no cell is ignored. */
    take({ type, parent = "", content }: Message) {
      const cell = cells.get(parent);
      if (!cell) return;
      if (!content) return void fits(cell, Number.POSITIVE_INFINITY);
      if (type === "update_display_data") return update(content);
      if (type === "clear_output") {
        if (content.wait) cell.clearNext = true;
        else clear(cell);
        return;
      }
      const output = outputOf(type, content);
      if (!output) return;
      if (isRich(output)) return show(cell, output, content);
      if (output.output_type === "stream" && output.name === "stderr") remember(cell.errorTexts, output.text);
      add(cell, output, output.output_type === "stream" ? output.text.length : sizeOf(output));
    },
    /** Whether something shown has said that it will still be replaced. */
    pending: () => [...shown.values()].flat().some(({ output }) => mark(output, "pending")),
    /** Drops what was cleared and every mark that was meant for the execution only. */
    finish() {
      for (const { outputs } of cells.values()) {
        const kept = outputs.filter(output => !isRich(output) || !mark(output, "cleared"));
        outputs.length = 0;
        for (const output of kept) {
          if (isRich(output)) delete output.metadata.ketbook;
          outputs.push(output);
        }
      }
    },
  };
}

/** Reads an output, as a message or a file has it; undefined for one that is none. */
export function outputOf(type: string, content: Fields): Output | undefined {
  const count = typeof content.execution_count === "number" ? content.execution_count : null;
  switch (type) {
    case "stream": {
      const name = content.name === "stderr" ? "stderr" : "stdout";
      return { output_type: type, name, text: String(content.text) };
    }
    case "display_data":
      return { output_type: type, ...bundle(content) };
    case "execute_result":
      return { output_type: type, execution_count: count, ...bundle(content) };
    case "error": {
      const traceback = Array.isArray(content.traceback) ? content.traceback.map(String) : [];
      return { output_type: type, ename: String(content.ename), evalue: String(content.evalue), traceback };
    }
    default:
      return undefined;
  }
}

function clear(cell: OpenCell): void {
  cell.outputs.length = 0;
  cell.bytes = 0;
  cell.clearNext = false;
}

function remember(texts: string[], text: string): void {
  texts.push(text.slice(-100_000));
  if (texts.length > MAX_ERROR_TEXTS) texts.shift();
}

function isRich(output: Output): output is RichOutput {
  return output.output_type === "display_data" || output.output_type === "execute_result";
}

function mark(output: RichOutput, name: "pending" | "cleared"): boolean {
  return fields(output.metadata.ketbook)[name] === true;
}

function bundle(content: Fields): Pick<RichOutput, "data" | "metadata"> {
  return { data: fields(content.data) as IMimeBundle, metadata: fields(content.metadata) as JsonObject };
}

function displayId(content: Fields): string | undefined {
  const id = fields(content.transient).display_id;
  return typeof id === "string" ? id : undefined;
}

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}
