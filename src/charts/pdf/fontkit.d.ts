declare module "fontkit" {
  export interface Glyph {
    readonly id: number;
    readonly advanceWidth: number;
  }

  export interface Font {
    readonly unitsPerEm: number;
    readonly stream: { readonly buffer: Uint8Array };
    readonly directory: {
      readonly tables: { readonly [tag: string]: { readonly offset: number; readonly length: number } };
    };
    hasGlyphForCodePoint(codePoint: number): boolean;
    glyphForCodePoint(codePoint: number): Glyph;
    layout(text: string, features: readonly string[]): { readonly glyphs: readonly Glyph[] };
    createSubset(): { includeGlyph(glyph: number): number; encode(): Uint8Array };
  }

  export function create(file: Uint8Array): Font;
}
