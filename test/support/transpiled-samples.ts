import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from './programs.js';

const TRANSPILE = fileURLToPath(new URL('transpile.mjs', import.meta.url));

export interface TranspiledSamples {
  folder: string;
  /** The path of a program, `01-hello-workflow/main.js`. */
  program(name: string): string;
  close(): void;
}

/** The samples as programs that Node runs, see `transpileInto`, in a folder to which a test may add. */
export async function transpileSamples(): Promise<TranspiledSamples> {
  const folder = mkdtempSync(join(tmpdir(), 'nest-durable-samples-'));
  cpSync(await transpiled(), folder, { recursive: true, verbatimSymlinks: true });
  return {
    folder,
    program: (name) => join(folder, 'sample', name),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Once in each run of Jest: by the suite that is the first to need them. */
async function transpiled(): Promise<string> {
  const shared = process.env['DURABLE_TEST_PROGRAMS'];
  if (!shared) throw new Error('DURABLE_TEST_PROGRAMS is set by the global setup of the tests with databases');
  const done = join(shared, 'done');
  if (existsSync(done)) return done;
  const folder = mkdtempSync(join(shared, 'half-'));
  const { code, output } = await runProgram(TRANSPILE, [
    folder,
    'sample',
    'test/support/programs',
    'test/support/servers',
  ]);
  if (code !== 0) throw new Error(output);
  try {
    renameSync(folder, done);
  } catch (error) {
    // Another suite was faster.
    if (!existsSync(done)) throw error;
  }
  return done;
}
