// @ts-check
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformFile } from '@swc/core';
import { ROOT } from './root.mjs';

const SOURCES = join(ROOT, 'lib/eslint');
const COMPILED = join(ROOT, '.cache/eslint-rules');

/** The rules of `nest-durable/eslint` as they are in the sources, for our own samples: ESLint runs before any build. */
export async function ownRules() {
  mkdirSync(COMPILED, { recursive: true });
  for (const name of readdirSync(SOURCES)) {
    const { code } = await transformFile(join(SOURCES, name), {
      module: { type: 'es6' },
      jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
    });
    writeFileSync(join(COMPILED, name.replace(/\.ts$/, '.js')), code);
  }
  /** @type {typeof import('../../lib/eslint/index.js')} */
  const rules = await import(pathToFileURL(join(COMPILED, 'index.js')).href);
  return rules;
}
