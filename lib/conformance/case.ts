/** One guarantee of a port, as a test that any test runner can run against any adapter of it. */
export interface ConformanceCase<Fixture> {
  name: string;
  run(fixture: Fixture): Promise<void>;
}
