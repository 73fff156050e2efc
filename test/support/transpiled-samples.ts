import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transpileInto } from './transpile.mjs';

export interface TranspiledSamples {
  /** The path of a program, `01-hello-workflow/main.js`. */
  program(name: string): string;
  close(): void;
}

/** The samples as programs that Node runs, see {@link transpileInto}. */
export async function transpileSamples(): Promise<TranspiledSamples> {
  const folder = mkdtempSync(join(tmpdir(), 'nest-durable-samples-'));
  await transpileInto(folder, ['sample', 'test/support/programs', 'test/support/servers']);
  return {
    program: (name) => join(folder, 'sample', name),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
