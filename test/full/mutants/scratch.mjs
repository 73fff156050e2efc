// @ts-check
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mutated } from './mutant.mjs';

const COPIED = [
  'lib',
  'test',
  'sample',
  'bench',
  'page/src',
  'docs',
  'README.md',
  'jest.config.mjs',
  'package.json',
  '.npmrc',
];
const CONFIGS = ['tsconfig.json', 'tsconfig.build.json', 'tsconfig.sample.json'];

/** A copy of the checkout in `folder`, with the installed packages linked. */
export class Scratch {
  /**
   * @param {string} root the checkout
   * @param {string} folder the same from run to run, so that what Jest has transformed need not be transformed again
   */
  constructor(root, folder) {
    this.folder = folder;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const name of [...COPIED, ...CONFIGS])
      if (existsSync(join(root, name))) cpSync(join(root, name), join(folder, name), { recursive: true });
    symlinkSync(realpathSync(join(root, 'node_modules')), join(folder, 'node_modules'));
  }

  /**
   * Does `work` while the mutant is in place.
   *
   * @template T
   * @param {import('./mutant.mjs').Mutant} mutant
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  async with(mutant, work) {
    const file = join(this.folder, mutant.file);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, mutated(text, mutant));
    try {
      return await work();
    } finally {
      writeFileSync(file, text);
    }
  }
}
