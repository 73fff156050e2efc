/** One field of each of these. */
export const valuesOf = <Row, Name extends keyof Row>(name: Name, rows: readonly Row[]): Row[Name][] =>
  rows.map((row) => row[name]);

/** One guarantee of a port, as a test that any test runner can run against any adapter of it. */
export interface ConformanceCase<Fixture> {
  name: string;
  run(fixture: Fixture): Promise<void>;
}
