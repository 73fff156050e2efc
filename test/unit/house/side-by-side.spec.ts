import { sideBySide } from '../../check/side-by-side.mjs';

const node = (code: string) => `"${process.execPath}" -e "${code}"`;

async function play(parts: Record<string, string>, atOnce = 2) {
  const told: Record<string, { failure: string | undefined; output: string }> = {};
  const failed = await sideBySide(
    Object.entries(parts).map(([name, command]) => ({ name, command })),
    { atOnce, tell: ({ name, failure, output }) => (told[name] = { failure, output }) },
  );
  return { told, failed, order: Object.keys(told) };
}

describe('commands that run side by side', () => {
  it('pass if all of them pass', async () => {
    const { failed, told } = await play({ one: node('console.log(1)'), two: node('console.error(2)') });
    expect(failed).toEqual([]);
    expect(told).toEqual({
      one: { failure: undefined, output: '1\n' },
      two: { failure: undefined, output: '2\n' },
    });
  });

  it.each(['first', 'second', 'third'])('fail with its name and all that it printed, if the %s fails', async (bad) => {
    const commands = Object.fromEntries(
      ['first', 'second', 'third'].map((name) => [
        name,
        node(name === bad ? `console.log('x'.repeat(200_000)); process.exitCode = 3` : ''),
      ]),
    );
    const { failed, told } = await play(commands);
    expect(failed).toEqual([bad]);
    expect(told[bad]).toEqual({ failure: 'exit code 3', output: `${'x'.repeat(200_000)}\n` });
    expect(Object.keys(told).sort()).toEqual(['first', 'second', 'third']);
  });

  it('fail if one of them is killed, or is not there', async () => {
    const { failed, told } = await play({ killed: 'kill -9 $$', missing: 'no-such-program' });
    expect(failed.sort()).toEqual(['killed', 'missing']);
    expect(told.killed?.failure).toBe('ended by SIGKILL');
    expect(told.missing?.failure).toBe('exit code 127');
  });

  it('begin in their order, no more at once than asked for', async () => {
    expect((await play({ slow: node('setTimeout(() => {}, 200)'), fast: node('') }, 1)).order).toEqual([
      'slow',
      'fast',
    ]);
  });
});
