import type { Notebook, RichOutput } from "./format.ts";

/** Lists the mime bundles among the outputs of a notebook. */
export const bundlesOf = ({ cells }: Notebook): RichOutput[] =>
  cells
    .flatMap(cell => (cell.cell_type === "code" ? cell.outputs : []))
    .filter((output): output is RichOutput => /^(?:display_data|execute_result)$/.test(output.output_type));
