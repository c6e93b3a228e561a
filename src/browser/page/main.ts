import { startPage } from "./page.ts";
import { narrowConnections } from "./policy.ts";

narrowConnections();
void startPage();
