import type { Language } from "../cells/syntax.ts";
import { plainFailure } from "../errors/failure.ts";
import type { Completions } from "../typing/completion.ts";
import type { Question } from "../typing/typed-cells.ts";
import type { HistoryEntry } from "./execute-queue.ts";

export type Channel = "shell" | "control" | "stdin";

export interface Request {
  type: string;
  content: Record<string, unknown>;
  /** Recipient of the answer, for transports that need it. */
  identities: readonly Uint8Array[];
  header: Record<string, unknown>;
}

export interface Messages {
  reply(channel: Channel, type: string, content: object, parent: Request): Promise<void>;
  /** Publishes a message to all front ends; `sent` hears when it has left. */
  publish(
    type: string,
    content: object,
    parent: Request | undefined,
    sent?: () => void,
    metadata?: object,
  ): void;
}

type Content = Request["content"];
type Answer = object | undefined | Promise<object | undefined>;

interface RequestParts {
  info: object;
  history: readonly HistoryEntry[];
  complete(question: Question): Promise<Completions>;
  /** Describes the name at a place, as Markdown; nothing where none is known. */
  describe(question: Question): Promise<string | undefined>;
  completeness(code: string): Answer;
  /** Answers to requests that this kernel knows besides, by their types. */
  others: Readonly<Record<string, (content: Content) => Answer>>;
}

/** The content of the `kernel_info_reply` of a kernel of some version. */
export function infoOf(kernel: {
  language: Language;
  languageVersion: string;
  version: string;
  banner: string;
}) {
  const { language, languageVersion, version, banner } = kernel;
  const typescript = language === "typescript";
  return {
    status: "ok",
    protocol_version: "5.4",
    implementation: "ketbook",
    implementation_version: version,
    language_info: {
      name: language,
      version: languageVersion,
      mimetype: typescript ? "text/x-typescript" : "text/javascript",
      file_extension: typescript ? ".ts" : ".js",
      codemirror_mode: { mode: "javascript", name: "javascript", typescript },
      nbconvert_exporter: "script",
    },
    banner,
    help_links: [{ text: "TypeScript", url: "https://www.typescriptlang.org/docs/" }],
  };
}

export function openRequests(parts: RequestParts) {
  async function complete(content: Content): Promise<object> {
    const { code, offset } = questionOf(content);
    const { start: from, items } = await parts.complete({ code, offset });
    const [start, end] = [charactersOf(code, from), charactersOf(code, offset)];
    const texts = items.map(({ name, insert = name }) => insert);
    return {
      status: "ok",
      matches: texts,
      cursor_start: start,
      cursor_end: end,
      metadata: {
        _jupyter_types_experimental: items.map(({ kind }, index) => ({
          start,
          end,
          text: texts[index],
          type: kind,
        })),
      },
    };
  }

  async function inspect(content: Content): Promise<object> {
    const data = await bundleAt(questionOf(content));
    return { status: "ok", found: data !== undefined, data: data ?? {}, metadata: {} };
  }

  async function bundleAt(question: Question): Promise<object | undefined> {
    const text = await parts.describe(question);
    if (!text) return undefined;
    return { "text/plain": text.replace(/^```\w*\n|^```$\n?/gm, "").trim(), "text/markdown": text };
  }

  return {
    describe: async (name: string): Promise<object> =>
      (await bundleAt({ code: name, offset: name.length })) ?? { "text/plain": `${name} is not known here.` },
    /** The content of the reply; undefined for a message that has none. */
    async answer({ type, content }: Request): Promise<object | undefined> {
      switch (type) {
        case "kernel_info_request":
          return parts.info;
        case "complete_request":
          return complete(content);
        case "inspect_request":
          return inspect(content);
        case "is_complete_request":
          return parts.completeness(String(content.code ?? ""));
        case "history_request":
          return { status: "ok", history: historyOf(parts.history, content) };
        default: {
          const other = parts.others[type];
          if (other) return other(content);
          return { status: "error", ...plainFailure("UnknownRequest", `Unknown request type ${type}.`) };
        }
      }
    },
  };
}

function questionOf(content: Content): Question {
  const code = String(content.code ?? "");
  const asked = Number(content.cursor_pos);
  return { code, offset: unitsOf(code, Number.isFinite(asked) ? asked : Number.POSITIVE_INFINITY) };
}

/** Positions in the protocol count characters, those of JavaScript UTF-16 units. */
function unitsOf(code: string, characters: number): number {
  let units = 0;
  for (let left = characters; left > 0 && units < code.length; left -= 1) {
    units += code.codePointAt(units)! > 0xffff ? 2 : 1;
  }
  return units;
}

function charactersOf(code: string, units: number): number {
  return Array.from(code.slice(0, units)).length;
}

/** Answers a `history_request`, with the cells' results where they are asked for. */
const historyOf = (history: readonly HistoryEntry[], content: Content): unknown[] =>
  entriesOf(history, content).map(({ line, source, output = null }) => [
    0,
    line,
    content.output === true ? [source, output] : source,
  ]);

/** Finds the last cells, a range of them, or those that match a pattern with `*` and `?`. */
function entriesOf(lines: readonly HistoryEntry[], content: Content): readonly HistoryEntry[] {
  const most = Number(content.n) > 0 ? Number(content.n) : lines.length;
  switch (content.hist_access_type) {
    case "range": {
      const start = Number(content.start) || 0;
      const stop = Number(content.stop) > 0 ? Number(content.stop) : Number.POSITIVE_INFINITY;
      const isThis = [0, -1, undefined].includes(content.session as number | undefined);
      return isThis ? lines.filter(({ line }) => line >= start && line < stop) : [];
    }
    case "search": {
      const pattern = globPattern(String(content.pattern ?? "*"));
      const found = lines.filter(({ source }) => pattern.test(source));
      const last = new Map(found.map(entry => [entry.source, entry]));
      return (content.unique === true ? [...last.values()] : found).slice(-most);
    }
    default:
      return lines.slice(-most);
  }
}

function globPattern(text: string): RegExp {
  const escaped = text
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*/g, "[\\s\\S]*")
    .replace(/\?/g, "[\\s\\S]");
  return new RegExp(`^${escaped}$`);
}
