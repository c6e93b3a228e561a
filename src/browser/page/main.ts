import { openAddress } from "./files.ts";
import { startPage } from "./page.ts";
import { addressIn, narrowConnections } from "./policy.ts";

const address = addressIn(location.hash);
const loading = address && openAddress(address);
await loading?.catch(() => undefined);
narrowConnections();
void startPage(loading);
