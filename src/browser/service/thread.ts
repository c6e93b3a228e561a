import { ARCHIVE_PATH } from "./connect.ts";
import { startPageService } from "./page-service.ts";
import type { FromService, ServiceStatus, ToService } from "./protocol.ts";
import { toRequest, toResponseRecord } from "./records.ts";
import { joinTabs, type LeadingService } from "./tabs.ts";

/** The script of the thread of a page's service: it runs the service, or passes requests on to the tab that does. */
const NAME = "ketbook";

/** Messages from the page to this thread. */
export type ToThread = { kind: "connect"; port: MessagePort } | { kind: "persistence" };

const ports = new Set<MessagePort>();
let last: FromService | undefined;

function tellAll(message: FromService): void {
  last = message;
  for (const port of ports) port.postMessage(message);
}

const tab = joinTabs(NAME, lead, {
  onStatus: (status: ServiceStatus) => tellAll({ kind: "status", status }),
  onError: error => tellAll({ kind: "unavailable", message: (error as Error)?.message ?? String(error) }),
});

let mayBeEvicted = false;

/** Whether jobs were submitted here, which could be lost. */
let hasJobs = false;

async function checkPersistence(): Promise<void> {
  mayBeEvicted = !(await navigator.storage?.persisted?.().catch(() => false));
}

/** Starts the service in this tab. */
async function lead(): Promise<LeadingService> {
  const service = await startPageService({ base: new URL("./", import.meta.url) });
  let apiKey = await service.apiKey();
  await checkPersistence();
  return {
    status: () => ({
      apiKey,
      storage: service.isKept ? "browser" : "memory",
      mayBeEvicted: service.isKept && mayBeEvicted,
      notes: hasJobs ? notesOf(service.isKept) : [],
    }),
    async answer(request) {
      const response = await toResponseRecord(await service.answer(toRequest(request)));
      if (request.method === "POST") {
        const { pathname } = new URL(request.url);
        const isArchive = pathname === ARCHIVE_PATH;
        if (isArchive) apiKey = await service.apiKey();
        if (isArchive || (!hasJobs && pathname.endsWith("/jobs"))) {
          hasJobs = true;
          tab.tell();
        }
      }
      return response;
    },
  };
}

function notesOf(isKept: boolean): string[] {
  if (!isKept)
    return [
      "This browser keeps no files for pages, as in a private window: jobs and credits last until the tab that runs the service is closed.",
    ];
  if (!mayBeEvicted) return [];
  return [
    "The browser may remove your jobs and results when it runs out of room. To keep or export them, open “Jobs in this browser …” in the menu.",
  ];
}

function serve(port: MessagePort): void {
  const given = new Set<number>();
  ports.add(port);
  port.onmessage = ({ data }: MessageEvent<ToService>) => {
    if (data.kind === "close") {
      ports.delete(port);
      port.close();
    } else if (data.kind === "abort") given.delete(data.id);
    else {
      const { id, request } = data;
      given.add(id);
      const answer = (message: FromService, transfer: Transferable[] = []) => {
        if (given.delete(id)) port.postMessage(message, transfer);
      };
      tab.send(request).then(
        response => answer({ kind: "response", id, response }, response.body ? [response.body] : []),
        error => answer({ kind: "failure", id, message: (error as Error).message }),
      );
    }
  };
  if (last) port.postMessage(last);
}

addEventListener("message", async ({ data }: MessageEvent<ToThread>) => {
  if (data.kind === "connect") serve(data.port);
  else {
    await checkPersistence();
    tab.tell();
  }
});
