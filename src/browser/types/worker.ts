import ts from "typescript-6.0";
import { type Completeness, completenessOf } from "../../kernels/cells/index.ts";
import type { Downlevelled } from "../kernel/syntax.ts";
import { openThread } from "../threads.ts";
import { LIBRARY_TYPES, openLanguageService } from "./language-service.ts";
import { type NotebookTypes, openNotebookTypes } from "./notebook-types.ts";
import { openEmitter, typedSyntax } from "./typed-syntax.ts";

export interface TypesThread extends NotebookTypes {
  completeness(source: string): Completeness;
  emit(source: string): Downlevelled;
}

const DECLARATIONS = new URL("declarations.json", import.meta.url);

const emit = openEmitter(ts);
const syntax = typedSyntax(emit);
const types = openTypes();

async function openTypes() {
  const texts = (await (await fetch(DECLARATIONS)).json()) as Record<string, string>;
  const service = openLanguageService(ts, new Map(Object.entries(texts)));
  return openNotebookTypes(service, syntax, file => texts[`${LIBRARY_TYPES}/${file}.d.ts`]!);
}

let last: Promise<unknown> = Promise.resolve();

/** Lets a function begin when those before it have ended, as they change the compiler's documents. */
const inTurn =
  <G extends readonly unknown[], R>(call: (...given: G) => R) =>
  (...given: G): Promise<Awaited<R>> => {
    const answer = last.catch(() => undefined).then(() => call(...given));
    last = answer;
    return answer as Promise<Awaited<R>>;
  };

const names = ["diagnose", "complete", "describe", "call", "check"] as const;
const known = names.map(name => [
  name,
  inTurn(async (...given: readonly unknown[]) =>
    ((await types)[name] as (...given: readonly unknown[]) => unknown)(...given),
  ),
]);

openThread<{ loaded(): void }>(globalThis, {
  ...Object.fromEntries(known),
  completeness: inTurn((source: string) => completenessOf(syntax, source, "typescript")),
  emit: inTurn(emit),
}).tell("loaded");
