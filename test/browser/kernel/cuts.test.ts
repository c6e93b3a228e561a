import { testCuts } from "../../kernels/cells/cuts-suite.ts";

testCuts("a browser's evaluator");
