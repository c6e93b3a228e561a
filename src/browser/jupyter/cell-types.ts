import type { Failure } from "../../kernels/errors/failure.ts";
import { isProgram } from "../../kernels/session/program-cell.ts";
import type { Completions } from "../../kernels/typing/completion.ts";
import type { Question } from "../../kernels/typing/typed-cells.ts";
import type { Types } from "../workers/types.ts";

/** Types of a kernel's cells. If they can't be loaded, nothing is known and no mistakes are reported. */
export interface CellTypes {
  /** Says what is wrong with a cell. One that is right is known to the next ones from then on. */
  check(source: string): Promise<Failure | undefined>;
  complete(question: Question): Promise<Completions>;
  describe(question: Question): Promise<string | undefined>;
  completeness(source: string): Promise<object>;
  /** Forgets all cells. */
  reset(): void;
}

/** Opens the types of the cells of a kernel. */
export function openCellTypes(types: Pick<Types, "ask">): CellTypes {
  let sources: readonly string[] = [];
  const above = () => sources.map((source, index) => ({ id: String(index), source }));
  return {
    async check(source) {
      const failure = await types.ask("check", { above: above(), source }).catch(() => undefined);
      if (!failure) sources = [...sources.filter(each => each !== source), source];
      return failure;
    },
    complete: ({ code, offset }) =>
      types
        .ask("complete", { above: above(), source: code, offset })
        .catch(() => ({ start: offset, items: [] })),
    describe: ({ code, offset }) =>
      types.ask("describe", { above: above(), source: code, offset }).catch(() => undefined),
    completeness: async source =>
      isProgram(source)
        ? { status: "unknown" }
        : types.ask("completeness", { source }).catch(() => ({ status: "unknown" })),
    reset() {
      sources = [];
    },
  };
}
