import { element } from "./element.ts";
import { read, write } from "./local-storage.ts";

/** Storage key of the closed notes of the service, which are not shown again. */
const READ = "ketbook.read.";

/** Tells the user something, in sentences above the notebook. */
export interface Notes {
  /** Shows a note, with something that can be done about it, until it is closed; once where it is shown already. */
  show(text: string, action?: readonly [label: string, act: () => void]): void;
  /** Shows what is now to be known of the service, in the place of what was. */
  ofService(texts: readonly string[]): void;
}

/** Opens the place for notes. */
export function openNotes(root: HTMLElement): Notes {
  const service = element("div", { class: "of-service" });
  root.append(service);
  const note = (text: string, action?: readonly [label: string, act: () => void], onClose?: () => void) => {
    const whole = element("div", { class: "note", role: "status" }, element("p", {}, text));
    if (action)
      whole.append(element("button", { type: "button", class: "primary", click: action[1] }, action[0]));
    whole.append(
      element(
        "button",
        {
          type: "button",
          class: "close",
          "aria-label": "Close",
          click() {
            whole.remove();
            onClose?.();
          },
        },
        "×",
      ),
    );
    return whole;
  };
  return {
    show(text, action) {
      const shown = Array.from(root.querySelectorAll(".note p"), each => each.textContent);
      if (!shown.includes(text)) root.append(note(text, action));
    },
    ofService(texts) {
      const unread = texts.filter(text => read(READ + text) === undefined);
      service.replaceChildren(
        ...unread.map(text => note(text, undefined, () => void write(READ + text, "closed"))),
      );
    },
  };
}
