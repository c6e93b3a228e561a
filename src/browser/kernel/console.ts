import { formatWithOptions, inspect } from "#host/inspect";
import { writeOrDisplay } from "../../kernels/values/display.ts";

type Write = (stream: "stdout" | "stderr", text: string) => void;

const INDENT = "  ";

/** Makes a console that writes to the output of cells, as Node's does. `clear` empties that output. */
export function openConsole(write: Write, clear: () => void): Partial<Console> {
  let indent = "";
  const counts = new Map<string, number>();
  const starts = new Map<string, number>();
  const line = (stream: "stdout" | "stderr", text: string) =>
    write(stream, `${indent}${text.replaceAll("\n", `\n${indent}`)}\n`);
  const format = (values: unknown[]) => formatWithOptions({}, ...(values as [unknown]));
  const out = (...values: unknown[]) => writeOrDisplay((...plain) => line("stdout", format(plain)), values);
  const failed = (...values: unknown[]) => line("stderr", format(values));
  const elapsed = (label: string) =>
    `${label}: ${(performance.now() - (starts.get(label) ?? 0)).toFixed(3)}ms`;
  return {
    log: out,
    info: out,
    debug: out,
    table: out,
    dirxml: out,
    warn: failed,
    error: failed,
    trace: (...values) => failed(`Trace: ${format(values)}`),
    dir: (value, options) => line("stdout", inspect(value, { customInspect: false, ...options })),
    assert: (holds, ...values) => {
      if (!holds) failed(...(values.length > 0 ? ["Assertion failed:", ...values] : ["Assertion failed"]));
    },
    count(label = "default") {
      counts.set(label, (counts.get(label) ?? 0) + 1);
      out(`${label}: ${counts.get(label)}`);
    },
    countReset: (label = "default") => void counts.delete(label),
    time: (label = "default") => void starts.set(label, performance.now()),
    timeLog: (label = "default", ...values) => out(elapsed(label), ...values),
    timeEnd(label = "default") {
      out(elapsed(label));
      starts.delete(label);
    },
    group(...values) {
      if (values.length > 0) out(...values);
      indent += INDENT;
    },
    groupCollapsed(...values) {
      this.group?.(...values);
    },
    groupEnd() {
      indent = indent.slice(INDENT.length);
    },
    clear,
  };
}
