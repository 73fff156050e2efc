import { runCli } from '../../../lib/cli/cli.js';
import { throwUnreadable, UNREADABLE } from '../../support/unreadable.js';

describe('the command line', () => {
  it.each(Object.keys(UNREADABLE))('fails with one line, whatever is thrown: %s', async (kind) => {
    const lines: string[] = [];
    const environment = { env: {}, out: () => throwUnreadable(kind), err: (line: string) => void lines.push(line) };
    expect(await runCli(['roles', '--dialect', 'mysql', '--foreign-worker', 'py'], environment)).toBe(2);
    expect(lines).toEqual([expect.stringMatching(/^error: (Thrown: |of a cause$|of several$)/)]);
  });
});
