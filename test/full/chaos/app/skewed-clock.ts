// Imported before everything else: from here on this process has another time.
const skew = Number(process.env['CHAOS_SKEW_MS'] ?? 0);

if (skew !== 0) {
  const Real = Date;
  class Skewed extends Real {
    constructor(...given: unknown[]) {
      super(...((given.length === 0 ? [Skewed.now()] : given) as [number]));
    }

    static override now(): number {
      return Real.now() + skew;
    }
  }
  globalThis.Date = Skewed as DateConstructor;
}
