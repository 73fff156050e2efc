import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { compiled } from '../../support/compiled.js';
import { type Program, startProgram } from '../../support/programs.js';
import { privateFolder } from '../../support/servers/server.mjs';
import { until } from '../../support/until.js';

describe('The demo', () => {
  /** Everything that the demo starts or writes has this in its name. */
  let folder: string;
  let demo: Program | undefined;

  beforeAll(async () => {
    folder = privateFolder('demo');
  });
  afterEach(async () => {
    demo?.process.kill('SIGTERM');
    await demo?.ended;
    await until('everything it started to end', () => startedByIt().length === 0);
    expect(readdirSync(folder)).toEqual([]);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const start = (...args: string[]) =>
    (demo = startProgram(compiled('sample/demo/main.js'), args, { TMPDIR: folder, NO_COLOR: '1' }));
  const startedByIt = () =>
    execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes(folder) || line.includes(compiled('sample/demo')));

  it('loses nothing and does nothing twice with 300 orders and two kills', async () => {
    const { code, output } = await start().ended;
    expect(output).toMatch(/worker process \d+ killed with SIGKILL/);
    expect(output).toMatch(/API and engine process \d+ killed with SIGKILL/);
    expect(output).toMatch(/\n {2}steps run {2,}2100 /);
    expect(output).toMatch(/\n {2}effects per order {2,}exactly one/);
    expect(output.match(/FAILED: .*/g) ?? []).toEqual([]);
    expect(output.trimEnd().split('\n').at(-1)).toBe('demo ok: 300 runs completed, 0 lost, 0 duplicated');
    expect(code).toBe(0);
  });

  it('fails when the ledger has an effect twice', async () => {
    const { code, output } = await start('--orders=10', '--sabotage').ended;
    expect(output).toContain('FAILED: every order had each effect exactly once. Found 1: order 1: 2 times charge');
    expect(output.trimEnd().split('\n').at(-1)).toBe('demo failed: 10 runs completed, 0 lost, 1 duplicated');
    expect(code).toBe(1);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGKILL', null],
  ] as const)('leaves nothing behind when it is ended by %s', async (signal, exitCode) => {
    const { process, output, ended } = start();
    await until('a kill', () => output().includes('killed with SIGKILL'));
    expect(startedByIt().length).toBeGreaterThan(4);
    process.kill(signal);
    expect((await ended).code).toBe(exitCode);
  });
});
