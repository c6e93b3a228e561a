/** Loaded before a program, this shifts the system's clock as the program sees it, by so many milliseconds. */
const shift = Number(process.env.KETBOOK_TEST_CLOCK_SHIFT);
const SystemDate = Date;

globalThis.Date = new Proxy(SystemDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [target.now() + shift] : args, newTarget),
  apply: target => new target(target.now() + shift).toString(),
  get: (target, name) => (name === "now" ? () => target.now() + shift : Reflect.get(target, name)),
});
