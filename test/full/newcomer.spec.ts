import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../support/root.mjs';

const run = promisify(execFile);

/** npm starts scripts by it. */
const SHELL = 'sh';

describe('The commands of the README, on a machine that has nothing but Node, npm and git', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'nest-durable-newcomer-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('npm ci && npm test', async () => {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    for (const name of ['node', 'npm', 'npx', 'git', SHELL]) symlinkSync(pathOf(name), join(bin, name));
    const clone = join(folder, 'clone');
    execFileSync('git', ['clone', '--quiet', ROOT, clone]);
    // Databases are also looked for where systems put them.
    const none = { DURABLE_TEST_MYSQL: join(folder, 'none'), DURABLE_TEST_MARIADB: join(folder, 'none') };
    const how = { cwd: clone, env: { PATH: bin, HOME: homedir(), ...none }, maxBuffer: 1 << 28 };
    await run(join(bin, 'npm'), ['ci', '--no-audit', '--no-fund'], how);
    const { stdout, stderr } = await run(join(bin, 'npm'), ['test'], how).catch((error: unknown) =>
      Promise.reject(
        new Error(
          /^(Summary of all failing tests|npm error)[^]*/m.exec(String((error as { stderr?: string }).stderr))?.[0],
        ),
      ),
    );
    expect(stderr).toMatch(/^NOT TESTED on mysql: .*\nNOT TESTED on mariadb: /m);
    expect(stdout + stderr).toMatch(/^Tests: .* passed/m);
  });
});

/** Behind links that only work beside it. */
function pathOf(name: string): string {
  const found = execFileSync('which', [name], { encoding: 'utf8', env: { PATH: process.env['PATH'] } }).trim();
  return name === SHELL ? found : realpathSync(found);
}
