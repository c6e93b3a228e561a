declare module "fontkit" {
  export interface Glyph {
    readonly id: number;
  }

  export interface Font {
    hasGlyphForCodePoint(codePoint: number): boolean;
    glyphForCodePoint(codePoint: number): Glyph;
    layout(text: string, features: readonly string[]): { readonly glyphs: readonly Glyph[] };
    createSubset(): { includeGlyph(glyph: number): number; encode(): Uint8Array };
  }

  export function create(file: Uint8Array): Font;
}
