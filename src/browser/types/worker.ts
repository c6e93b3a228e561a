import ts from "typescript-6.0";
import { completenessOf } from "../../kernels/cells/index.ts";
import { LIBRARY_TYPES, openLanguageService } from "./language-service.ts";
import { openNotebookTypes } from "./notebook-types.ts";
import type { TypeAnswer, TypeRequest, TypeRequestName, TypeRequests } from "./protocol.ts";
import { openEmitter, typedSyntax } from "./typed-syntax.ts";

const DECLARATIONS = new URL("declarations.json", import.meta.url);

const post = globalThis.postMessage.bind(globalThis) as (message: TypeAnswer) => void;
const emit = openEmitter(ts);
const syntax = typedSyntax(emit);
const types = openTypes();

async function openTypes() {
  const texts = (await (await fetch(DECLARATIONS)).json()) as Record<string, string>;
  const service = openLanguageService(ts, new Map(Object.entries(texts)));
  return openNotebookTypes(service, syntax, file => texts[`${LIBRARY_TYPES}/${file}.d.ts`]!);
}

const handlers: {
  [Name in TypeRequestName]: (
    question: TypeRequests[Name]["question"],
  ) => Promise<TypeRequests[Name]["answer"]>;
} = {
  diagnose: async ({ cells }) => (await types).diagnose(cells),
  diagnoseOne: async ({ cells, index }) => (await types).diagnoseOne(cells, index),
  complete: async place => (await types).complete(place),
  describe: async place => (await types).describe(place),
  call: async place => (await types).call(place),
  check: async cell => (await types).check(cell),
  completeness: async ({ source }) => completenessOf(syntax, source, "typescript"),
  emit: async ({ source }) => emit(source),
};

let last: Promise<unknown> = Promise.resolve();
globalThis.addEventListener("message", ({ data }: MessageEvent<TypeRequest>) => {
  last = last
    .then<unknown>(() => handlers[data.type](data.question as never))
    .then(
      answer => post({ id: data.id, answer }),
      (error: unknown) => post({ id: data.id, error: String(error) }),
    );
});
