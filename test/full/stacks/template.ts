import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

/** The template of `nest new`: as CommonJS, or as ES modules. */
export type Template = 'ts' | 'ts-esm';

const TEMPLATES = 'node_modules/@nestjs/schematics/dist/lib/application/files';

/** What a file says that an app and its template have in common: of `package.json` the settings of Jest. */
const settingsOf = (path: string, file: string, strict = false): unknown => {
  const filled = readFileSync(join(path, file), 'utf8')
    .replaceAll('<%= strict %>', String(strict))
    .replaceAll('<%= specFileSuffix %>', 'spec');
  const settings = JSON.parse(filled) as { jest?: unknown };
  return file === 'package.json' ? settings.jest : settings;
};

/** Whether everything that is wanted is there; there may be more, as `nest generate` adds some. */
function covers(own: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) return isDeepStrictEqual(own, wanted);
  return Object.entries(wanted).every(([key, value]) => covers((own as Record<string, unknown>)?.[key], value));
}

/** Those of the files with which the app in a folder has left the template of the Nest CLI that is installed there. */
export const unlikeTemplate = (folder: string, template: Template, files: readonly string[]): string[] =>
  unlike(folder, join(folder, TEMPLATES, template), files, template === 'ts-esm');

/** Those of the files with which the app in a folder has left what the Nest CLI generated in another. */
export const unlike = (folder: string, original: string, files: readonly string[], strict = false): string[] =>
  files.filter((file) => !covers(settingsOf(folder, file), settingsOf(original, file, strict)));
