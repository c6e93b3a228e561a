/** Error of a cell that the user interrupted. */
export class Interrupted extends Error {
  override name = "Interrupted";

  constructor() {
    super("The cell was interrupted.");
  }
}
