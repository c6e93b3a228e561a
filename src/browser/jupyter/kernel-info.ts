import { VERSION } from "../../version.ts";

/** The content of the `kernel_info_reply` of a kernel in a page. */
export const KERNEL_INFO = {
  status: "ok",
  protocol_version: "5.4",
  implementation: "ketbook",
  implementation_version: VERSION,
  language_info: {
    name: "typescript",
    version: "6.0",
    mimetype: "text/x-typescript",
    file_extension: ".ts",
    codemirror_mode: { mode: "javascript", name: "javascript", typescript: true },
    nbconvert_exporter: "script",
  },
  banner: `Ketbook ${VERSION} in a browser`,
  help_links: [{ text: "TypeScript", url: "https://www.typescriptlang.org/docs/" }],
};
