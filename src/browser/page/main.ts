import { openAddress } from "./files.ts";
import { keyOfTab } from "./keeper.ts";
import { startPage } from "./page.ts";
import { addressIn, narrowConnections } from "./policy.ts";

const address = keyOfTab() === undefined ? addressIn(location.hash) : undefined;
const loading = address && openAddress(address);
await loading?.catch(() => undefined);
narrowConnections();
void startPage(loading);
