import { jupyterDisplay, type MimeBundle } from "../display/bundle.ts";
import type { Form } from "../display/index.ts";
import { formBundle, Shown } from "./shown.ts";

/** Makes a class of records: objects with the fields of a record of the service, which show themselves. */
export function recordClass<R extends object>(form: (record: R) => Form) {
  class ShownRecord extends Shown {
    constructor(record: R) {
      super();
      Object.assign(this, record);
    }

    [jupyterDisplay](): MimeBundle {
      return formBundle(form(this as unknown as R));
    }
  }
  return (record: R) => new ShownRecord(record) as R & Shown;
}
