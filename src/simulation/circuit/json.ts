const ARRAYS = { Uint8Array, Uint32Array, Float64Array } as const;

/** From how many members on a list that is named several times is written once. */
const SHARED_LENGTH = 16;

interface Encoded {
  readonly root: unknown;
  readonly shared: readonly unknown[];
}

/**
 * Turns plain data into what JSON can hold: whole numbers of any size, maps, typed arrays and numbers that are not
 * finite become objects with a key `$`. Long lists that are there several times are kept once.
 */
export function encode(data: unknown): Encoded {
  const shared: unknown[] = [];
  const places = new Map<object, number>();
  const walk = (value: unknown): unknown => {
    if (typeof value === "bigint") return { $: "integer", value: value.toString() };
    if (typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0)))
      return { $: "number", value: Object.is(value, -0) ? "-0" : String(value) };
    if (typeof value !== "object" || value === null) return value;
    if (value instanceof Map) return { $: "map", value: [...value].map(walk) };
    if (ArrayBuffer.isView(value)) return { $: value.constructor.name, value: toBase64(value as Uint8Array) };
    if (Array.isArray(value)) return value.length < SHARED_LENGTH ? value.map(walk) : sharedList(value);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]));
  };
  const sharedList = (list: readonly unknown[]): unknown => {
    let place = places.get(list);
    if (place === undefined) {
      place = shared.push(null) - 1;
      places.set(list, place);
      shared[place] = list.map(walk);
    }
    return { $: "shared", value: place };
  };
  return { root: walk(data), shared };
}

/** Returns the data that {@link encode} was given. */
export function decode({ root, shared }: Encoded): unknown {
  const lists: unknown[][] = [];
  const listAt = (place: number): unknown[] => {
    lists[place] ??= (shared[place] as unknown[]).map(walk);
    return lists[place];
  };
  const walk = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(walk);
    if (!("$" in value))
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]));
    const { $: kind, value: inner } = value as { $: string; value: never };
    switch (kind) {
      case "integer":
        return BigInt(inner);
      case "number":
        return Number(inner);
      case "map":
        return new Map((inner as unknown[]).map(walk) as [unknown, unknown][]);
      case "shared":
        return listAt(inner);
      default:
        return new ARRAYS[kind as keyof typeof ARRAYS](fromBase64(inner).buffer);
    }
  };
  return walk(root);
}

function toBase64({ buffer, byteOffset, byteLength }: ArrayBufferView): string {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000)
    text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), character => character.charCodeAt(0));
