import { KetbookError, type UnreadRecord } from "../../client/index.ts";
import type { RecordedProgram } from "../../contract/index.ts";
import { formatNumber, numbers, type RenderedView, table } from "../../display/index.ts";
import { DisplayableList } from "../values/displayable-list.ts";
import { QasmProgram } from "./program.ts";

/** Programs of a job, in their order: an array that shows itself as a table. */
export class ProgramList extends DisplayableList<QasmProgram> {
  /** @internal */
  static ofRecords(records: readonly RecordedProgram[] & { unread?: readonly UnreadRecord[] }): ProgramList {
    return ProgramList.ofRows(records.map(QasmProgram.of), { unread: records.unread ?? [] });
  }

  /** @internal The first program. Throws a `KetbookError` that names the job when the service gave none. */
  first(what: string): QasmProgram {
    const [first] = this;
    if (first && !this.unread.some(({ index }) => index === 0)) return first;
    throw new KetbookError(`The service has no ${what}, or it cannot be read.`);
  }

  /** @internal */
  static override readonly noun: string = "programs";

  /** @internal */
  protected override render(): RenderedView {
    return table<[index: number, program: QasmProgram]>({
      ...this.remarks,
      noun: "programs",
      rows: [...this.entries()],
      columns: [
        numbers("Program", ([index]) => formatNumber(index)),
        { label: "Format", value: ([, { format }]) => format },
        numbers("Lines", ([, { data }]) => formatNumber(data.trimEnd().split("\n").length)),
        { label: "Begins", value: ([, { data }]) => firstStatement(data) },
      ],
    });
  }
}

const maxShown = 80;

function firstStatement(text: string): string {
  const lines = text.split("\n", 40).map(line => line.trim());
  const telling = lines.find(line => line !== "" && !/^(OPENQASM|include|\/\/|;)/.test(line));
  return (telling ?? "").slice(0, maxShown);
}
