import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigurationError } from '../../errors.js';

const isMissing = (error: unknown): boolean => {
  const { code } = error as { code?: unknown };
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
};

/**
 * A database driver of the app: as this package sees it, or else from the folder the command was called in.
 *
 * @throws ConfigurationError when it is installed in neither place.
 */
export async function appDriver(name: 'pg' | 'mysql2'): Promise<Record<string, unknown>> {
  try {
    return exportsOf(await (name === 'pg' ? import('pg') : import('mysql2')));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  try {
    const here = createRequire(join(process.cwd(), 'package.json'));
    return exportsOf(await import(pathToFileURL(here.resolve(name)).href));
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new ConfigurationError(`The driver "${name}" is not installed here: npm install ${name}, then call it again`);
  }
}

/** Of a CommonJS module, whichever way it was loaded. */
function exportsOf(module: unknown): Record<string, unknown> {
  const { default: inner } = module as { default?: unknown };
  return { ...(inner as Record<string, unknown> | undefined), ...(module as Record<string, unknown>) };
}
