/** Problem at a place of a document. Lines and characters are counted from 0. */
export interface Diagnostic {
  start: { line: number; character: number };
  end: { line: number; character: number };
  message: string;
  code: number;
  /** Related information, such as a hint, with its place if that is in the same document. */
  related: readonly { message: string; start?: { line: number; character: number } | undefined }[];
}

export interface CompletionItem {
  name: string;
  kind: string;
  /** Text to insert instead of the name itself. */
  insert?: string;
}

export interface Signature {
  label: string;
  /** The parameter that is written at the place. */
  parameter?: string;
  documentation: string;
}

/** Knows the types of documents. Everything resolves to nothing where the service has failed. */
export interface TypeService {
  /** Puts a document in the place of the one of that name. */
  put(name: string, text: string): void;
  drop(name: string): void;
  diagnose(name: string): Promise<readonly Diagnostic[]>;
  complete(name: string, line: number, character: number): Promise<readonly CompletionItem[]>;
  /** Returns a description of the name at a place, as Markdown. */
  hover(name: string, line: number, character: number): Promise<string | undefined>;
  signature(name: string, line: number, character: number): Promise<Signature | undefined>;
  close(): void;
}
