import { installedProgram } from './servers/installed-program.mjs';

export type ProgramName =
  'redis-server' | 'nats-server' | 'pgbouncer' | 'chromium' | 'mariadb' | 'promtool' | 'prometheus' | 'postgres';

/** A describe block for tests that start a program of the system, by the path that is handed on. */
export function describeWithProgram(name: ProgramName, title: string, body: (path: string) => void): void {
  const found = installedProgram(name);
  const reason = 'reason' in found ? found.reason : undefined;
  describeUnlessMissing(name, reason, title, () => body('path' in found ? found.path : name));
}

/**
 * A describe block for tests that need what not every machine has. Where there is a reason why it is not there, one line
 * says so and they count as skipped; with `DURABLE_TEST_REQUIRE_ALL` they fail instead.
 */
export function describeUnlessMissing(name: string, reason: string | undefined, title: string, body: () => void): void {
  if (reason === undefined) return void describe(title, body);
  if (process.env['DURABLE_TEST_REQUIRE_ALL']) {
    const text = `DURABLE_TEST_REQUIRE_ALL asks for all programs: ${reason}`;
    return void describe(title, () => void it(`needs ${name}`, () => Promise.reject(new Error(text))));
  }
  process.stderr.write(`NOT TESTED with ${name}: ${reason}\n`);
  describe.skip(title, body);
}
