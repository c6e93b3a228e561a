import { Token } from "@lumino/coreutils";

/** What draws diagrams in Markdown, which the shell does not have. */
export const IMermaidMarkdown = new Token("@jupyterlab/mermaid:IMermaidMarkdown");
