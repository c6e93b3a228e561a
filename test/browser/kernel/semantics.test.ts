import { testSemantics } from "../../kernels/cells/semantics-suite.ts";

testSemantics("a browser's evaluator");
