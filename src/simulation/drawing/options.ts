/** What of a circuit is drawn, and how it is laid out. */
export interface DrawingOptions {
  /** Maximum number of columns of operations in a row; infinite for a single row. Default: as many as fit into the width. */
  fold?: number;
  /**
   * Whether the program's gate definitions are opened, or how many levels of them, and its loops written out as far
   * as they are known before the run. Default: false.
   */
  expand?: boolean | number;
  /** Whether qubits and registers that no operation touches are drawn; else a line names them. Default: false. */
  idleWires?: boolean;
  /** Whether the last qubit is on top. Default: false. */
  reverseBits?: boolean;
}
