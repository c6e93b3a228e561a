/** A stretch of a string that is replaced; nothing is replaced where `start` is `end`. */
interface Edit {
  start: number;
  end: number;
  text: string;
}

/** A piece of the edited text: where it begins there, and where it stood before, if it did. */
interface Piece {
  at: number;
  from: number | undefined;
  text: string;
}

export type Edits = ReturnType<typeof openEdits>;

/**
 * Opens a list of edits to a string, which remembers where each part of the result came from. What is inserted at a place
 * comes before what is replaced there.
 */
export function openEdits(source: string) {
  const edits: Edit[] = [];
  const hoisted: { start: number; end: number; before: string; after: string }[] = [];

  const isHoisted = ({ start, end }: Edit) => hoisted.some(each => start >= each.start && end <= each.end);

  function* rendered(from: number, to: number, list: readonly Edit[]): Generator<Omit<Piece, "at">> {
    let position = from;
    for (const { start, end, text } of list) {
      if (start < from || end > to) continue;
      yield { from: position, text: source.slice(position, start) };
      yield { from: undefined, text };
      position = Math.max(position, end);
    }
    yield { from: position, text: source.slice(position, to) };
  }

  return {
    replace: (start: number, end: number, text: string) => void edits.push({ start, end, text }),
    insert: (at: number, text: string) => void edits.push({ start: at, end: at, text }),
    /** Takes a stretch, with the edits inside it, from its place to the beginning of the text. */
    hoist: (start: number, end: number, before: string, after: string) =>
      void hoisted.push({ start, end, before, after }),
    /** The edited text, after a prefix and before a suffix (default: none). */
    apply(prefix: string, suffix = "") {
      const inOrder = (list: Edit[]) =>
        list.sort((a, b) => a.start - b.start || Number(b.start === b.end) - Number(a.start === a.end));
      const pieces: Piece[] = [];
      let length = 0;
      const add = ({ text, from }: Omit<Piece, "at">) => {
        if (text === "") return;
        pieces.push({ at: length, from, text });
        length += text.length;
      };
      add({ text: prefix, from: undefined });
      const inner = inOrder(edits.filter(isHoisted));
      for (const { start, end, before, after } of hoisted) {
        add({ text: before, from: undefined });
        for (const piece of rendered(start, end, inner)) add(piece);
        add({ text: after, from: undefined });
      }
      const removals = hoisted.map(({ start, end }) => ({ start, end, text: "" }));
      const outer = inOrder([...edits.filter(edit => !isHoisted(edit)), ...removals]);
      for (const piece of rendered(0, source.length, outer)) add(piece);
      add({ text: suffix, from: undefined });
      return {
        text: pieces.map(piece => piece.text).join(""),
        /** The offset in the text before the edits that an offset in the text after them belongs to. */
        originOf: (offset: number) => originIn(pieces, offset),
      };
    },
  };
}

function originIn(pieces: readonly Piece[], offset: number): number | undefined {
  const index = pieces.findLastIndex(({ at }) => at <= offset);
  const piece = pieces[index];
  if (piece?.from !== undefined) return piece.from + Math.min(offset - piece.at, piece.text.length);
  // Inserted text belongs to the text after it.
  return pieces.slice(index + 1, index + 3).find(next => next.from !== undefined)?.from;
}
