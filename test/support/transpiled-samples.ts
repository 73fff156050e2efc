import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Options, transformFile } from '@swc/core';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCES = ['lib', 'sample', 'test/support/servers'];

const OPTIONS: Options = {
  module: { type: 'es6' },
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
    keepClassNames: true,
  },
};

export interface TranspiledSamples {
  /** The path of a program, `01-hello-workflow/main.js`. */
  program(name: string): string;
  close(): void;
}

/**
 * The samples as programs that Node runs, beside a package `nest-durable` made of the sources as they are: within a
 * second, where a build takes twenty, and without touching a `dist` that somebody else is using. Types are not checked:
 * `npm run typecheck` does that.
 */
export async function transpileSamples(): Promise<TranspiledSamples> {
  const folder = mkdtempSync(join(tmpdir(), 'nest-durable-samples-'));
  const exports = { '.': './lib/index.js', './testing': './lib/testing/index.js' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'nest-durable', type: 'module', exports }));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const files = SOURCES.flatMap((source) =>
    readdirSync(join(ROOT, source), { recursive: true, encoding: 'utf8' }).map((file) => join(source, file)),
  );
  await Promise.all(files.filter((file) => ['.ts', '.mjs'].includes(extname(file))).map((file) => put(file, folder)));
  return {
    program: (name) => join(folder, 'sample', name),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function put(file: string, folder: string): Promise<void> {
  const target = join(folder, file);
  mkdirSync(dirname(target), { recursive: true });
  if (file.endsWith('.mjs')) return cpSync(join(ROOT, file), target);
  const { code } = await transformFile(join(ROOT, file), { ...OPTIONS, configFile: false, swcrc: false });
  writeFileSync(target.replace(/\.ts$/, '.js'), code);
}
