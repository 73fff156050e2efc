import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../support/root.mjs';

const run = promisify(execFile);

describe("Nest's own command", () => {
  let clone: string;
  beforeAll(() => {
    clone = mkdtempSync(join(tmpdir(), 'nest-durable-nest-build-'));
    execFileSync('git', ['clone', '--quiet', ROOT, clone]);
    symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  });
  afterAll(() => rmSync(clone, { recursive: true, force: true }));

  it('builds the package', async () => {
    // What `npm ci` does at its end.
    await run('npm', ['run', 'prepare'], { cwd: clone });
    await run('npx', ['--no', 'nest', 'build'], { cwd: clone });
    for (const file of ['index.js', 'index.d.ts', 'cjs/index.js', 'cli.js'])
      expect([file, existsSync(join(clone, 'dist', file))]).toEqual([file, true]);
    const { stdout } = await run(
      process.execPath,
      ['-p', "Object.keys(require('nest-durable')).includes('DurableModule')"],
      {
        cwd: clone,
      },
    );
    expect(stdout).toBe('true\n');
  });
});
