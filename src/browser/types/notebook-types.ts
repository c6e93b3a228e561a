import {
  CELL_TYPES,
  childrenOf,
  completionsAt,
  describeAt,
  describeCall,
  lineStarts,
  magicOf,
  openTypedCells,
  registerLanguages,
  type Syntax,
  type SyntaxNode,
  type TypedCells,
  type TypeService,
} from "../../kernels/cells/index.ts";
import { diagnoseProgram, isProgram, languages, programOf } from "../../openqasm-cells/index.ts";

registerLanguages(languages);

const TIME = /^\s*%{1,2}time\b/;

/** The TypeScript of a cell, every place of which is where it is in the cell; undefined where it has none. */
function typescriptOf(source: string): string | undefined {
  if (isProgram(source)) return undefined;
  const text = source.replace(TIME, magic => magic.replace(/\S/g, " "));
  const magic = magicOf(text, "typescript", [], 0, () => true);
  return magic === undefined ? text : undefined;
}

export interface TypedCell {
  id: string;
  source: string;
}

/** A place in a cell, after the cells above it. Offsets count UTF-16 units. */
export interface CellPlace {
  above: readonly TypedCell[];
  source: string;
  offset: number;
}

export interface CellMark {
  from: number;
  to: number;
  message: string;
}

/** Types of a notebook, whose cells are read from the top. */
export type NotebookTypes = ReturnType<typeof openNotebookTypes>;

/** Types of the globals of cells in a page, beyond those of a worker. */
const GLOBAL_TYPES = `${CELL_TYPES}\ndeclare function require(module: string): any;`;

/** Opens the types of a notebook. `libraryTypes` returns the declarations of a file of the library. */
export function openNotebookTypes(
  service: TypeService,
  syntax: Syntax,
  libraryTypes: (file: string) => string,
) {
  /** Last readable version of each cell, used by the cells below while it is edited. */
  const readable = new Map<string, string>();

  const openCells = () =>
    openTypedCells({
      service,
      syntax,
      language: "typescript",
      libraryTypes,
      globalTypes: GLOBAL_TYPES,
      defineModule: () => undefined,
    });

  /** Makes a cell known to those below it. Returns a function that checks it. */
  async function add(
    typed: TypedCells,
    { id, source }: TypedCell,
  ): Promise<() => Promise<readonly CellMark[]>> {
    const text = typescriptOf(source);
    if (text === undefined) {
      const program = isProgram(source) ? await programOf(source, false).catch(() => undefined) : undefined;
      if (program && "source" in program) typed.add(program.source);
      return () => programMarks(source);
    }
    const { mistakes } = syntax.emit(text, "typescript");
    if (mistakes.length === 0) {
      readable.set(id, text);
      const find = typed.add(text);
      return async () => [...marksOf(text, await find()), ...(await templateMarks(text, syntax))];
    }
    typed.add(readable.get(id) ?? "");
    return async () =>
      mistakes.map(({ start, end, message }) => ({ from: start, to: Math.max(end, start), message }));
  }

  async function after(above: readonly TypedCell[]): Promise<TypedCells> {
    const typed = openCells();
    for (const cell of above) await add(typed, cell);
    return typed;
  }

  const placeOf = ({ source, offset }: CellPlace) => ({ code: typescriptOf(source) ?? source, offset });

  return {
    /** Finds what is wrong with the cells of a notebook, each after those above it. */
    async diagnose(cells: readonly TypedCell[]) {
      const typed = openCells();
      const finding: Awaited<ReturnType<typeof add>>[] = [];
      for (const cell of cells) finding.push(await add(typed, cell));
      const marks: (readonly CellMark[])[] = [];
      for (const find of finding) marks.push(await find());
      return marks;
    },
    complete: async (place: CellPlace) =>
      completionsAt(placeOf(place), await after(place.above), async () => []),
    /** Describes the name at a place, and the call around it, as Markdown; empty where nothing is known. */
    describe: async (place: CellPlace) => describeAt(placeOf(place), await after(place.above)),
    /** Describes the call around a place, likewise. */
    call: async (place: CellPlace) => (await describeCall(placeOf(place), await after(place.above))) ?? "",
    /** Says what keeps a cell from running; nothing where it is right. */
    check: async ({ above, source }: Pick<CellPlace, "above" | "source">) =>
      (await after(above)).check(source),
  };
}

type Place = { line: number; character: number };

function marksOf(
  text: string,
  found: readonly { start: Place; end: Place; messageText: string }[],
): CellMark[] {
  const starts = lineStarts(text);
  const offset = ({ line, character }: Place) =>
    Math.min((starts[line] ?? text.length) + character, text.length);
  return found.map(({ start, end, messageText }) => ({
    from: offset(start),
    to: offset(end),
    message: messageText,
  }));
}

/** Returns the mistakes of a program that begins at an offset of its cell. */
async function programMarks(program: string, offset = 0): Promise<CellMark[]> {
  if (offset === 0 && !isProgram(program)) return [];
  const starts = lineStarts(program);
  return (await diagnoseProgram(program)).map(({ line, column, length = 1, message, hint }) => {
    const from = offset + (starts[line - 1] ?? 0) + column - 1;
    return { from, to: from + length, message: hint ? `${message} ${hint}` : message };
  });
}

/** Returns the mistakes of the programs in a cell's templates, except those with insertions. */
async function templateMarks(text: string, syntax: Syntax): Promise<CellMark[]> {
  if (!text.includes("qasm")) return [];
  const marks: CellMark[] = [];
  for (const { quasi } of templatesIn(syntax.parse(text, "typescript").body)) {
    const [only, another] = (quasi as SyntaxNode).quasis as SyntaxNode[];
    if (only && !another) marks.push(...(await programMarks(text.slice(only.start, only.end), only.start)));
  }
  return marks;
}

function* templatesIn(nodes: Iterable<SyntaxNode>): Generator<SyntaxNode> {
  for (const node of nodes) {
    const tag = node.tag as { name?: string } | undefined;
    if (node.type === "TaggedTemplateExpression" && tag?.name === "qasm") yield node;
    else yield* templatesIn(childrenOf(node));
  }
}
