export { typescript as default };

import type { LanguageFunction } from "./highlight-js.d.ts";

declare const typescript: LanguageFunction;
