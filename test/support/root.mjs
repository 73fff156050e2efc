// @ts-check
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const COMPILED_FOLDER = '.cache/tests/';

/** The checkout, from its sources as from what is compiled of them: the tests, or the samples and the benchmark. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url)).replace(
  new RegExp(`(${COMPILED_FOLDER}|dist-sample/)$`),
  '',
);

/** Where `test/compile.mjs` writes what Node can run. */
export const COMPILED = join(ROOT, COMPILED_FOLDER);
