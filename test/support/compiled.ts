import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMPILED } from './root.mjs';

/** The path of a program of this project that Node can run, by its path from the root: `sample/demo/main.js`. */
export const compiled = (file: string): string => join(COMPILED, file);

/** A folder for programs that a test writes: to them `nest-durable` is what is tested here. */
export interface OwnPrograms {
  folder: string;
  /** Writes it, and returns its path. */
  write(name: string, text: string): string;
  close(): void;
}

export function ownPrograms(): OwnPrograms {
  mkdirSync(compiled('own'), { recursive: true });
  const folder = mkdtempSync(compiled('own/programs-'));
  return {
    folder,
    write: (name, text) => {
      const file = join(folder, name);
      writeFileSync(file, text);
      return file;
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
