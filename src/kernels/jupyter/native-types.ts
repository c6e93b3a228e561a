import { createRequire, isBuiltin } from "node:module";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CompletionItem, Diagnostic, Signature, TypeService } from "../cells/types.ts";
import { startLanguageServer } from "./language-server.ts";
import { openLocalFiles } from "./local-files.ts";

interface Place {
  line: number;
  character: number;
}

interface LspDiagnostic {
  code: number;
  message: string;
  severity: number;
  range: { start: Place; end: Place };
  relatedInformation?: { message: string; location: { uri: string; range: { start: Place } } }[];
}

interface LspCompletion {
  label: string;
  kind: number;
  insertText?: string;
  sortText?: string;
}

interface LspSignatures {
  activeSignature?: number;
  activeParameter?: number;
  signatures: {
    label: string;
    activeParameter?: number;
    documentation?: string | { value: string };
    parameters?: { label: string | [number, number] }[];
  }[];
}

/** In the place of the folder's own, so the server looks for none above. */
const CONFIGURATION = "tsconfig.json";
const LANGUAGES: Readonly<Record<string, string>> = {
  ".json": "json",
  ".js": "javascript",
  ".tsx": "typescriptreact",
};
const ERROR = 1;
/** A module of Node's own, which the server also completes by files of the package of its types. */
const NODE_MODULE = /["'](node:\w+\/)\w*$/;
const FROM_ANOTHER_MODULE = "16";
/** Kinds of names, as the protocol numbers them. */
const KINDS = (
  "text text method function function property variable class interface module property unit value " +
  "enum keyword text text file reference folder property constant class event operator type"
).split(" ");

/**
 * The types of documents in a folder by TypeScript's own native server, in its own process. The documents are
 * never written to disk. `configuration` returns the `tsconfig.json` that holds for them.
 */
export function nativeTypes(folder: string, configuration: () => object): TypeService | undefined {
  const executable = nativeCompiler();
  if (!executable) return undefined;
  // Before the server has its settings, a document would have it fetch types.
  const configured = Promise.withResolvers<void>();
  const server = startLanguageServer([executable, "--lsp", "--stdio"], folder, (method, parameters) => {
    if (method !== "workspace/configuration") return null;
    const { items } = parameters as { items: unknown[] };
    setImmediate(configured.resolve);
    return items.map(() => ({
      // It would have npm fetch types of its own accord.
      tsserver: { automaticTypeAcquisition: { enabled: false } },
      suggest: { autoImports: false },
      preferences: { includeCompletionsForModuleExports: false },
    }));
  });
  const documents = new Map<string, { version: number; text: string }>();
  const files = openLocalFiles(folder, documents);
  const uriOf = (name: string) => pathToFileURL(join(folder, name)).href;
  const at = (name: string, line: number, character: number) => ({
    textDocument: { uri: uriOf(name) },
    position: { line, character },
  });

  void server.request("initialize", {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    capabilities: {
      workspace: { configuration: true },
      textDocument: {
        diagnostic: { relatedInformation: true },
        completion: { completionItem: { snippetSupport: false } },
        hover: { contentFormat: ["markdown"] },
        signatureHelp: {
          signatureInformation: { documentationFormat: ["plaintext"], activeParameterSupport: true },
        },
      },
    },
  });
  server.notify("initialized", {});
  /** Resolves once messages may be sent. All wait for it, and so stay in order. */
  const ready = Promise.race([configured.promise, server.ended]);
  put(CONFIGURATION, JSON.stringify(configuration()));

  function notify(method: string, parameters: object): void {
    void ready.then(() => server.notify(method, parameters));
  }

  async function request<T>(method: string, parameters: object): Promise<T | undefined> {
    const changes = files.changes();
    if (changes.length > 0) {
      put(CONFIGURATION, JSON.stringify(configuration()));
      notify("workspace/didChangeWatchedFiles", {
        changes: changes.map(({ file, type }) => ({ uri: pathToFileURL(file).href, type })),
      });
    }
    return ready.then(() => server.request<T>(method, parameters));
  }

  function put(name: string, text: string): void {
    const before = documents.get(name);
    if (before?.text === text) return;
    const version = (before?.version ?? 0) + 1;
    documents.set(name, { version, text });
    if (!name.endsWith(".json")) files.read(name, text);
    const textDocument = { uri: uriOf(name), version };
    if (version > 1) {
      notify("textDocument/didChange", { textDocument, contentChanges: [{ text }] });
    } else {
      const languageId = LANGUAGES[extname(name)] ?? "typescript";
      notify("textDocument/didOpen", { textDocument: { ...textDocument, languageId, text } });
    }
  }

  return {
    put,
    drop(name) {
      if (documents.delete(name)) notify("textDocument/didClose", { textDocument: { uri: uriOf(name) } });
    },
    close: server.close,
    async diagnose(name) {
      const uri = uriOf(name);
      const answer = await request<{ items?: LspDiagnostic[] }>("textDocument/diagnostic", {
        textDocument: { uri },
      });
      return (answer?.items ?? [])
        .filter(({ severity }) => severity === ERROR)
        .map(({ range, message, code, relatedInformation = [] }): Diagnostic => {
          const related = relatedInformation.map(({ message, location }) => ({
            message,
            start: location.uri === uri ? location.range.start : undefined,
          }));
          return { ...range, message, code, related };
        });
    },
    async complete(name, line, character) {
      const answer = await request<{ items?: LspCompletion[] } | LspCompletion[]>("textDocument/completion", {
        ...at(name, line, character),
        context: { triggerKind: 1 },
      });
      const items = Array.isArray(answer) ? answer : (answer?.items ?? []);
      const before = documents.get(name)?.text.split("\n")[line]?.slice(0, character) ?? "";
      const [, parent] = NODE_MODULE.exec(before) ?? [];
      return items
        .filter(({ sortText }) => sortText !== FROM_ANOTHER_MODULE)
        .filter(({ label }) => !parent || isBuiltin(parent + label))
        .sort((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1))
        .map(
          ({ label, kind, insertText }): CompletionItem => ({
            name: label,
            kind: KINDS[kind] ?? "text",
            ...(insertText !== undefined && { insert: insertText }),
          }),
        );
    },
    async hover(name, line, character) {
      const answer = await request<{ contents: { value: string } | string }>(
        "textDocument/hover",
        at(name, line, character),
      );
      const contents = answer?.contents;
      return typeof contents === "string" ? contents : contents?.value;
    },
    async signature(name, line, character) {
      const answer = await request<LspSignatures>("textDocument/signatureHelp", {
        ...at(name, line, character),
        context: { triggerKind: 1, isRetrigger: false },
      });
      return answer && signatureOf(answer);
    },
  };
}

const rankOf = ({ sortText = "", label }: LspCompletion) => `${sortText} ${label}`;

function signatureOf({
  signatures,
  activeSignature = 0,
  activeParameter,
}: LspSignatures): Signature | undefined {
  const active = signatures[activeSignature];
  if (!active) return undefined;
  const label = active.parameters?.[active.activeParameter ?? activeParameter ?? 0]?.label;
  const { documentation = "" } = active;
  return {
    label: active.label,
    documentation: typeof documentation === "string" ? documentation : documentation.value,
    ...(label !== undefined && {
      parameter: typeof label === "string" ? label : active.label.slice(...label),
    }),
  };
}

/** The executable of TypeScript 7, which this library brings along; undefined where it has none for this machine. */
export function nativeCompiler(): string | undefined {
  try {
    const require = createRequire(import.meta.url);
    const name = `@typescript/typescript-${process.platform}-${process.arch}`;
    const manifest = createRequire(require.resolve("typescript/package.json")).resolve(
      `${name}/package.json`,
    );
    return join(manifest, "../lib", process.platform === "win32" ? "tsc.exe" : "tsc");
  } catch {
    return undefined;
  }
}
