import { installedProgram } from './servers/installed-program.mjs';

export type ProgramName = 'redis-server' | 'pgbouncer' | 'chromium';

/**
 * A describe block for tests that start a program of the system, by the path that is handed on. Where the program is not
 * there one line says so and they count as skipped; with `DURABLE_TEST_REQUIRE_ALL` they fail instead.
 */
export function describeWithProgram(name: ProgramName, title: string, body: (path: string) => void): void {
  const found = installedProgram(name);
  if ('path' in found) return void describe(title, () => body(found.path));
  if (process.env['DURABLE_TEST_REQUIRE_ALL']) {
    const text = `DURABLE_TEST_REQUIRE_ALL asks for all programs: ${found.reason}`;
    return void describe(title, () => void it(`needs ${name}`, () => Promise.reject(new Error(text))));
  }
  process.stderr.write(`NOT TESTED with ${name}: ${found.reason}\n`);
  describe.skip(title, () => body(name));
}
