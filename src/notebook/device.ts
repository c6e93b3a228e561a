import type { RuntimeDevice } from "../contract/device.ts";
import { deviceCard, deviceTable, type Form } from "../display/index.ts";
import { Calibration } from "./calibration.ts";
import { currentClient } from "./connection.ts";
import { Lazy } from "./lazy.ts";
import { ShownList } from "./list.ts";
import { Shown } from "./shown.ts";

/** A quantum device: everything that the service says of it, and a card in a notebook. */
export interface Device extends RuntimeDevice {}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor copies every field of the record
export class Device extends Shown {
  /** @internal */
  constructor(record: RuntimeDevice) {
    super();
    Object.assign(this, record);
  }

  /** Asks for the latest calibration of the device: errors, lifetimes and lengths. It shows itself as a map. */
  calibration(): Lazy<Calibration> {
    return new Lazy("Calibration", async () => {
      const client = await currentClient();
      return new Calibration(await client.devices.calibrations(this.qrn), this);
    });
  }

  /** @internal */
  protected override face(): Form {
    return deviceCard(this, { now: Date.now() });
  }
}

/** Devices in the order of the service: an array that shows itself as a table. */
export class DeviceList extends ShownList<Device> {
  /** @internal */
  protected override face(): Form {
    return deviceTable(this);
  }
}
