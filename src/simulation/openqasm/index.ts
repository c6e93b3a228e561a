export { factsOf } from "../circuit/standard.ts";
export { COMPLEX_FUNCTIONS, CONSTANTS, REAL_FUNCTIONS, WORD_FUNCTIONS } from "../circuit/values/functions.ts";
export { libraries } from "./lowering/context.ts";
export { KEYWORDS_2, KEYWORDS_3 } from "./syntax/token-stream.ts";
