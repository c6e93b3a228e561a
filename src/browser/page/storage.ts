import { attempted } from "../../host/attempted.ts";
import type { HostedService } from "../workers.ts";
import { button, closeButton, element } from "./element.ts";
import { read, remove, write } from "./kept-notebooks.ts";

const HOSTED = "ketbook.service";

/** The hosted service that this browser knows; undefined for the page's own. */
export function hostedService(): HostedService | undefined {
  const { url, apiKey }: Partial<HostedService> = attempted(() => JSON.parse(read(HOSTED) ?? "{}")) ?? {};
  return url && apiKey && URL.canParse(url) ? { url, apiKey } : undefined;
}

/** Keeps a hosted service and its key in this browser, or forgets it. Returns whether it could. */
export const keepHostedService = (service: HostedService | undefined): boolean =>
  service ? write(HOSTED, JSON.stringify(service)) : remove(HOSTED);

/** Storage key of the closed notes of the service, which are not shown again. */
const READ = "ketbook.read.";

type NoteAction = readonly [label: string, act: () => void];

/** Tells the user something, in sentences above the notebook. */
export type Notes = ReturnType<typeof openNotes>;

export function openNotes(root: HTMLElement) {
  const service = element("div", { class: "of-service" });
  root.append(service);
  const note = (text: string, action?: NoteAction, onClose?: () => void) => {
    const whole = element("div", { class: "note", role: "status" }, element("p", {}, text));
    if (action) whole.append(button(...action, { class: "primary" }));
    const close = () => {
      whole.remove();
      onClose?.();
    };
    whole.append(closeButton(close));
    return whole;
  };
  return {
    /** Shows a note, with something that can be done about it, until it is closed; once where it is shown already. */
    show(text: string, action?: NoteAction) {
      const shown = Array.from(root.querySelectorAll(".note p"), each => each.textContent);
      if (!shown.includes(text)) root.append(note(text, action));
    },
    ofService(texts: readonly string[]) {
      const unread = texts.filter(text => read(READ + text) === undefined);
      service.replaceChildren(
        ...unread.map(text => note(text, undefined, () => void write(READ + text, "closed"))),
      );
    },
  };
}

/** Prefix of the address of a notebook to open from elsewhere. */
export const FROM = "#from=";

/** The notebook elsewhere that an address names; undefined where it names none that can be loaded. */
export function addressIn(hash: string): URL | undefined {
  if (!hash.startsWith(FROM)) return undefined;
  const url = attempted(() => new URL(decodeURIComponent(hash.slice(FROM.length))));
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** Loads the page again to open a notebook elsewhere, since the page may speak to that server only while it loads. */
export function openFrom(address: string): void {
  history.pushState({ asked: true }, "", FROM + encodeURIComponent(address));
  location.reload();
}

/** True once the user has confirmed loading the notebook in the address; a link by itself loads nothing. */
export const isAskedFor = (): boolean => (history.state as { asked?: boolean } | null)?.asked === true;

/**
 * Narrows what this page may speak to from now on: itself, and the hosted service that the user has named. Its own policy
 * leaves any address open, for a notebook that has been loaded from elsewhere by now.
 */
export function narrowConnections(): void {
  const hosted = hostedService();
  const meta = document.createElement("meta");
  meta.httpEquiv = "Content-Security-Policy";
  meta.content = `connect-src 'self' ${hosted ? new URL(hosted.url).origin : ""}`;
  document.head.append(meta);
}
