import { openAddress } from "./files.ts";
import { isolate } from "./isolation.ts";
import { keyOfTab } from "./keeper.ts";
import { startPage } from "./page.ts";
import { addressIn, isAskedFor, narrowConnections } from "./policy.ts";

await isolate(new URL("service-worker.js", document.baseURI));
const address = keyOfTab() === undefined && isAskedFor() ? addressIn(location.hash) : undefined;
const loading = address && openAddress(address);
await loading?.catch(() => undefined);
narrowConnections();
void startPage(loading);
