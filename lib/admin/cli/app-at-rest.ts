import { type CheckedApp, setCheckHook } from '../check-hook.js';
import { loadApp } from './load-app.js';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { sleep } from '../../time/sleep.js';

export interface AppOptions {
  /** The compiled file of its module. */
  app: string;
  /** The name of the module in it. */
  export?: string;
}

/** If the app cannot be closed, for example because its database was never reached, it ends with the process. */
const CLOSE_MS = 10_000;

/**
 * Creates an app without its engine and workers, and closes it after `work`. Unless it `writes`, the app writes nothing.
 *
 * @throws InvalidArgumentError; any error of loading and creating the app
 */
export async function withApp<T>(
  options: AppOptions,
  work: (app: CheckedApp) => Promise<T>,
  { writes = false }: { writes?: boolean } = {},
): Promise<T> {
  let found: CheckedApp | undefined;
  setCheckHook({ found: (app) => void (found ??= app), writes });
  // Lets the app skip its own work meanwhile.
  process.env['NEST_DURABLE_CHECK'] = '1';
  const app = await loadApp(options.app, options.export);
  try {
    if (!found) throw new InvalidArgumentError('The app', options.app, 'a module that imports DurableModule');
    return await work(found);
  } finally {
    await Promise.race([app.close(), sleep(CLOSE_MS)]);
  }
}
