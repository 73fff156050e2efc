// @ts-check
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const COMPILED_FOLDER = '.cache/tests/';

/** The checkout, from its sources as from what is compiled of them. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url)).replace(new RegExp(`${COMPILED_FOLDER}$`), '');

/** Where `test/compile.mjs` writes what Node can run. */
export const COMPILED = join(ROOT, COMPILED_FOLDER);
