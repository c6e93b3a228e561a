/** The parts of a page's elements that its charts need; the library's types hold nothing of a browser. */
export interface PageElement {
  textContent: string | null;
  hidden: boolean;
  readonly style: { [property: string]: string };
  readonly clientWidth: number;
  readonly nextElementSibling: PageElement | null;
  /** What Vega drew the element for. */
  readonly __data__?: unknown;
  append(...children: PageElement[]): void;
  replaceChildren(...children: PageElement[]): void;
  setAttribute(name: string, value: string): void;
  getAttribute(name: string): string | null;
  querySelectorAll(selectors: string): Iterable<PageElement>;
  closest(selectors: string): PageElement | null;
  matches(selectors: string): boolean;
  getBoundingClientRect(): { left: number; top: number; width: number; height: number };
  addEventListener(type: string, listener: (event: PageEvent) => void): void;
  dispatchEvent(event: object): boolean;
  focus(): void;
}

/** The parts of an event that charts answer to. */
export interface PageEvent {
  readonly key: string;
  readonly target: PageElement;
  readonly clientX: number;
  readonly clientY: number;
  preventDefault(): void;
}

/** The parts of a page that charts need. */
export interface Page {
  readonly body: PageElement;
  createElement(name: string): PageElement;
  querySelectorAll(selectors: string): Iterable<PageElement>;
}

/** The parts of a browser that charts need. */
export interface Browser {
  document?: Page;
  innerWidth: number;
  innerHeight: number;
  PointerEvent: new (type: string, options: object) => object;
  MutationObserver: new (changed: () => void) => { observe(element: PageElement, options: object): void };
  IntersectionObserver: new (
    seen: (entries: { isIntersecting: boolean; target: PageElement }[]) => void,
    options: object,
  ) => { observe(element: PageElement): void; unobserve(element: PageElement): void };
}

export const browser = globalThis as unknown as Browser;
