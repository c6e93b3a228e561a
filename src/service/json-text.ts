/** A value as JSON text: what is large is passed on as it was stored, without being read and written again. */
export class JsonText<T> {
  readonly text: string;
  /** Only for the type of the value. */
  declare readonly value: T;

  constructor(text: string) {
    this.text = text;
  }
}
