import type { Form } from "../../display/index.ts";
import { Shown } from "./shown.ts";

/** Makes a class of records: objects with the fields of a record of the service, which show themselves. */
export function recordClass<R extends object>(form: (record: R) => Form) {
  class ShownRecord extends Shown {
    constructor(record: R) {
      super();
      Object.assign(this, record);
    }

    /** @internal */
    protected override face(): Form {
      return form(this as unknown as R);
    }
  }
  return (record: R) => new ShownRecord(record) as R & Shown;
}
