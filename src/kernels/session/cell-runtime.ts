import { isPromise } from "#host";
import { isThenable } from "../bundle.ts";
import { RUNTIME } from "../cells/declarations.ts";
import { LOOP_CHECK } from "../cells/rewrite.ts";

/** Place where a cell awaits something: the number of its run, and an offset in its JavaScript. */
export type AwaitPlace = readonly [run: number, offset: number];

type Import = readonly [
  run: number,
  offset: number,
  module: string,
  attributes: Record<string, string>,
  names: readonly (readonly [local: string, imported: string])[],
];

export type CellRuntime = ReturnType<typeof openRuntime>;

type Disposable =
  | { [Symbol.dispose]?: () => void; [Symbol.asyncDispose]?: () => PromiseLike<void> }
  | null
  | undefined;

const MAX_PLACES = 5;
const then = Promise.prototype.then;

interface CellRuntimeParts {
  modules: {
    /** `import()`, as in a module beside the notebook. */
    import(specifier: unknown, options?: object): Promise<unknown>;
    /** `import.meta`, likewise. */
    meta: object;
  };
  /** Throws if the cell that continues, which waited since a moment of `now`, has been interrupted. */
  throwIfInterrupted(since: number): void;
  /** Counts the interrupts, where nothing else tells which cell it is that continues; default: always 0. */
  now?(): number;
}

/** Makes the object that rewritten cells call, and makes it known to them. */
export function openRuntime({ modules, throwIfInterrupted, now = () => 0 }: CellRuntimeParts) {
  let places = new WeakMap<object, AwaitPlace[]>();
  let resources: (() => unknown)[] = [];

  function remember(error: unknown, place: AwaitPlace): void {
    if ((typeof error !== "object" && typeof error !== "function") || error === null) return;
    const known = places.get(error) ?? [];
    if (known.length < MAX_PLACES) places.set(error, [...known, place]);
  }

  function keep<T extends Disposable>(resource: T, dispose: (() => unknown) | undefined, name: string): T {
    if (resource && !dispose) throw new TypeError(`This value has no [Symbol.${name}]().`);
    if (dispose) resources.push(() => dispose.call(resource));
    return resource;
  }

  const runtime = {
    /** The value of the last expression of the cell that ran last. */
    value: undefined as unknown,
    debug: undefined as object | undefined,
    /** Object through which the evaluator passes values. */
    passage: {},
    declare: declareGlobals,
    turn: () => throwIfInterrupted(now()),
    meta: modules.meta,
    import: async (specifier: unknown, options?: object) =>
      wholeOf((await modules.import(specifier, options)) as Record<string, unknown>),
    /** Returns the places where cells awaited the failed operation, innermost first. */
    placesOf: (error: object): readonly AwaitPlace[] => places.get(error) ?? [],
    /** Forgets these places: where an earlier cell failed says nothing of the next one. */
    forgetPlaces() {
      places = new WeakMap();
    },

    /** Notes where a cell waits, without a turn more than `await` itself takes. */
    wait(run: number, offset: number, awaited: unknown): unknown {
      if (!isThenable(awaited)) return awaited;
      const value = isPromise(awaited) ? awaited : Promise.resolve(awaited);
      then.call(value, undefined, error => remember(error, [run, offset]));
      return value;
    },
    get now() {
      return now();
    },
    resume(since: number, value: unknown): unknown {
      throwIfInterrupted(since);
      return value;
    },
    each(run: number, offset: number, values: AsyncIterable<unknown> | Iterable<unknown>): unknown {
      if (!(Symbol.asyncIterator in values)) return values;
      const iterator = values[Symbol.asyncIterator]();
      const since = now();
      const next = (...sent: [] | [unknown]) => {
        throwIfInterrupted(since);
        const step = iterator.next(...sent);
        runtime.wait(run, offset, step);
        return step;
      };
      return {
        [Symbol.asyncIterator]: () => ({
          next,
          ...(iterator.return && { return: (value?: unknown) => iterator.return!(value) }),
        }),
      };
    },
    jsx: createElement,
    Fragment,
    constant(name: string): never {
      throw new TypeError(`Assignment to constant variable '${name}'.`);
    },

    /** Loads the modules that a cell imports, and binds what it imports of them, as the modules' own live values. */
    async load(imports: readonly Import[]): Promise<void> {
      for (const [run, offset, module, attributes, names] of imports) {
        const withAttributes = Object.keys(attributes).length > 0 ? { with: attributes } : undefined;
        const source = await modules
          .import(module, withAttributes)
          .then(found => found as Record<string, unknown>)
          .catch(error => {
            remember(error, [run, offset]);
            throw error;
          });
        for (const [local, imported] of names) {
          Object.defineProperty(globalThis, local, {
            get: () => exportOf(source, imported),
            configurable: true,
            enumerable: false,
          });
        }
      }
    },

    use: <T extends Disposable>(resource: T): T => keep(resource, resource?.[Symbol.dispose], "dispose"),
    useAsync: async <T extends Disposable>(resource: T): Promise<T> =>
      keep(resource, resource?.[Symbol.asyncDispose] ?? resource?.[Symbol.dispose], "asyncDispose"),
    /** Disposes of the resources that a cell is to dispose of at its end. */
    async disposeAll(): Promise<void> {
      const disposals = resources.reverse();
      resources = [];
      for (const dispose of disposals) await dispose();
    },
  };
  Object.defineProperty(globalThis, RUNTIME, { value: runtime });
  // Engines lack the key of the metadata that decorators share.
  if (!("metadata" in Symbol))
    Object.defineProperty(Symbol, "metadata", { value: Symbol("Symbol.metadata") });
  hideRuntime();
  return runtime;
}

/** Returns an export of a module; of a CommonJS module also those that Node could not detect in its text. */
function exportOf(module: Record<string, unknown>, name: string): unknown {
  if (name === "*") return wholeOf(module);
  return name in module
    ? module[name]
    : (module.default as Record<string, unknown> | null | undefined)?.[name];
}

const wholes = new WeakMap<object, object>();

/** Returns a module with all of its exports; of a CommonJS module also those that Node could not detect, as bundlers do. */
function wholeOf(module: Record<string, unknown>): unknown {
  const exported = module["module.exports"];
  if ((typeof exported !== "object" && typeof exported !== "function") || exported === null) return module;
  const missing = Object.keys(exported).filter(name => !(name in module));
  if (missing.length === 0) return module;
  const whole = wholes.get(module) ?? Object.create(null, Object.getOwnPropertyDescriptors(module));
  for (const name of missing)
    Object.defineProperty(whole, name, {
      get: () => (exported as Record<string, unknown>)[name],
      enumerable: true,
      configurable: true,
    });
  wholes.set(module, whole);
  return whole;
}

const WAITING = /__ketbook__\.resume\(__ketbook__\.now, await __ketbook__\.wait\(\d+, \d+, /g;

/** A function's text is the text that the cell has, so it also runs in a page or another thread. */
function hideRuntime(): void {
  const textOf = Function.prototype.toString;
  const shown = function (this: unknown): string {
    const text = textOf.call(this as () => void);
    return text.includes(RUNTIME) ? text.replace(WAITING, "(await (").replaceAll(LOOP_CHECK, "") : text;
  };
  Object.defineProperty(shown, "name", { value: "toString" });
  Object.defineProperty(Function.prototype, "toString", { value: shown, configurable: true, writable: true });
}

/**
 * Makes names properties of the global object, before a script assigns to them. `later` have no value until the script
 * gives them one, but for those that have one from an earlier script; `initial` begin as undefined.
 */
function declareGlobals(later: readonly string[], initial: readonly string[]): void {
  for (const name of initial) defineGlobal(name, undefined);
  for (const name of later) {
    const known = Object.getOwnPropertyDescriptor(globalThis, name);
    if (known && "value" in known) continue;
    Object.defineProperty(globalThis, name, {
      get() {
        throw new ReferenceError(`${name} is not defined`);
      },
      set: value => defineGlobal(name, value),
      configurable: true,
      enumerable: false,
    });
  }
}

/** Gives the global object a property that lists of its properties leave out. */
export function defineGlobal(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
}

type Props = Readonly<Record<string, unknown>>;

const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;
const TAG = /^[a-z][\w-]*$/i;
const ATTRIBUTE = /^(?!(?:key|ref)$)[a-z_:][\w:.-]*$/i;
const ALIASES: Readonly<Record<string, string>> = { className: "class", htmlFor: "for" };
const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Type of elements that are nothing but their children. */
const Fragment = Symbol.for("ketbook.jsx.fragment");

/**
 * Makes an element of JSX in a cell that names no library for it: it shows itself as HTML. A function is called with its
 * properties, and returns what is shown.
 */
function createElement(type: unknown, given: Props | null, ...children: unknown[]) {
  const content = children.length > 1 ? children : children[0];
  const props = { ...given, ...(children.length > 0 && { children: content }) };
  return { type, props, toHtml: () => elementMarkup(type, props) };
}

function elementMarkup(type: unknown, props: Props): string {
  const { children, dangerouslySetInnerHTML: inner, ...attributes } = props;
  if (type === Fragment) return childMarkup(children);
  if (typeof type === "function") return childMarkup(type(props));
  if (typeof type !== "string" || !TAG.test(type))
    throw new TypeError(`${String(type)} is not an element. Use a tag such as <div>, or a function.`);
  const written = Object.entries(attributes).map(([name, value]) => attribute(ALIASES[name] ?? name, value));
  const open = `<${type}${written.join("")}>`;
  if (VOID.test(type)) return open;
  const markup = (inner as { __html?: unknown } | undefined)?.__html;
  return `${open}${markup === undefined ? childMarkup(children) : String(markup)}</${type}>`;
}

/** Handlers of events, and what is absent, have no markup. */
function attribute(name: string, value: unknown): string {
  if (value === undefined || value === null || value === false || typeof value === "function") return "";
  if (!ATTRIBUTE.test(name)) return "";
  return value === true
    ? ` ${name}`
    : ` ${name}="${escaped(name === "style" ? styleText(value) : String(value))}"`;
}

const styleText = (style: unknown): string =>
  typeof style === "object" && style !== null
    ? Object.entries(style)
        .map(([name, value]) => `${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}:${value}`)
        .join(";")
    : String(style);

function childMarkup(child: unknown): string {
  if (child === undefined || child === null || typeof child === "boolean") return "";
  if (Array.isArray(child)) return child.map(childMarkup).join("");
  const { toHtml } = Object(child) as { toHtml?: unknown };
  return typeof toHtml === "function" ? String(toHtml.call(child)) : escaped(String(child));
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, character => ENTITIES[character]!);
