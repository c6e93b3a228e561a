import { completenessOf } from "../cells/completeness.ts";
import type { Language } from "../cells/syntax.ts";
import { isProgram } from "../session/program-cell.ts";
import { completionsAt } from "../typing/completion.ts";
import { describeAt } from "../typing/description.ts";
import type { Question, TypedCells } from "../typing/typed-cells.ts";
import type { Connection } from "./channel.ts";
import type { Debugger } from "./debug/debugger.ts";
import type { ExecuteQueue } from "./execute-queue.ts";
import { historyOf } from "./history.ts";
import { kernelInfo } from "./kernel-info.ts";
import { pathsAfter } from "./paths.ts";
import { oxc } from "./syntax.ts";
import type { Request } from "./wire.ts";

/** What answers need. */
export interface RequestParts {
  folder: string;
  typed: TypedCells;
  queue: ExecuteQueue;
  connection: Connection;
  language: Language;
  debug: Debugger;
}

type PublishReply = (type: string, content: object) => void;

/** Answers the requests that run no cell. */
export interface Requests {
  /** What is known of a name, as a mime bundle. */
  describe(name: string): Promise<object>;
  /** The content of the reply; undefined for a message that has none. */
  answer(request: Request, publish: PublishReply): Promise<object | undefined>;
}

/** Opens the answers. */
export function openRequests({ folder, typed, queue, connection, language, debug }: RequestParts): Requests {
  async function complete({ content }: Request): Promise<object> {
    const { code, offset } = questionOf(content);
    const paths = (path: string) => pathsAfter(folder, path);
    const { start: from, items } = await completionsAt({ code, offset }, typed, paths);
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

  async function inspect({ content }: Request): Promise<object> {
    const data = await bundleAt(questionOf(content));
    return { status: "ok", found: data !== undefined, data: data ?? {}, metadata: {} };
  }

  async function bundleAt(question: Question): Promise<object | undefined> {
    const text = await describeAt(question, typed);
    if (!text) return undefined;
    return { "text/plain": text.replace(/^```\w*\n|^```$\n?/gm, "").trim(), "text/markdown": text };
  }

  return {
    describe: async name =>
      (await bundleAt({ code: name, offset: name.length })) ?? { "text/plain": `${name} is not known here.` },
    async answer(request, publish) {
      const { type, content } = request;
      switch (type) {
        case "kernel_info_request":
          return kernelInfo(language);
        case "complete_request":
          return complete(request);
        case "inspect_request":
          return inspect(request);
        case "is_complete_request": {
          const code = String(content.code ?? "");
          return isProgram(code) ? { status: "unknown" } : completenessOf(oxc, code, language);
        }
        case "history_request":
          return { status: "ok", history: historyOf(queue.history, content) };
        case "comm_info_request":
          return { status: "ok", comms: {} };
        case "comm_open":
          return void publish("comm_close", { comm_id: content.comm_id, data: {} });
        case "comm_msg":
        case "comm_close":
          return undefined;
        case "debug_request":
          return debug.answer(content);
        case "connect_request": {
          const { shell_port, iopub_port, stdin_port, control_port, hb_port } = connection;
          return { status: "ok", shell_port, iopub_port, stdin_port, control_port, hb_port };
        }
        default: {
          const evalue = `This kernel knows no request of the type ${type}.`;
          return { status: "error", ename: "UnknownRequest", evalue, traceback: [evalue] };
        }
      }
    },
  };
}

function questionOf(content: Record<string, unknown>): { code: string; offset: number } {
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
