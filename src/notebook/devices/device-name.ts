/**
 * A name of a device: a short one that only one device of the service has, or a whole resource name. An editor offers
 * the short names of Ketbook's own service.
 */
export type DeviceName =
  | "statevector"
  | "sparse"
  | "stabilizer"
  | "noisy"
  | "density"
  | "tensor"
  | "automatic"
  | "statevector-v1"
  | "perth"
  | "auckland"
  | "brisbane"
  | "garnet"
  | "forte"
  | (string & Record<never, never>);
