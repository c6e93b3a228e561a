declare module "sanitize-html" {
  interface SanitizeOptions {
    allowedTags: string[];
    nonTextTags: string[];
    allowedAttributes: Record<string, string[]>;
    allowedSchemes: string[];
    allowedSchemesByTag: Record<string, string[]>;
    allowProtocolRelative: boolean;
    allowedStyles: Record<string, Record<string, RegExp[]>>;
    exclusiveFilter(frame: { tag: string; attribs: Record<string, string> }): boolean;
    onOpenTag?(): void;
    onCloseTag?(): void;
  }
  export default function sanitize(html: string, options: SanitizeOptions): string;
}
