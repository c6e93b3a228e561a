/** What a cell fails with that the user has interrupted. */
export class Interrupted extends Error {
  override name = "Interrupted";

  constructor() {
    super("The cell was interrupted.");
  }
}
