import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InvalidArgumentError } from '../core/errors.js';
import { asError } from '../core/thrown.js';
import { sleep } from '../core/time.js';
import { type CheckedApp, setCheckHook } from '../nest/options.js';

interface LoadedApp {
  close(): Promise<void>;
}

interface NestCore {
  NestFactory: { createApplicationContext(module: unknown, options: object): Promise<LoadedApp> };
}

/**
 * Creates the app of a compiled module as a standalone application: providers are created and bootstrap hooks run, but
 * nothing listens.
 *
 * @throws InvalidArgumentError when there is no such module; any error of loading and creating it
 */
async function loadApp(file: string, exported: string | undefined): Promise<LoadedApp> {
  const path = resolve(file);
  const own = createRequire(path);
  // Metadata and Nest must be the same instances that the app uses.
  const core = await importFrom(own, '@nestjs/core');
  const module = moduleOf((await importFile(path)) as Record<string, unknown>, file, exported);
  return (core as unknown as NestCore).NestFactory.createApplicationContext(module, {
    logger: false,
    abortOnError: false,
  });
}

async function importFrom(own: NodeJS.Require, name: string): Promise<object> {
  let path: string;
  try {
    path = own.resolve(name);
  } catch {
    throw new InvalidArgumentError('--app', name, `a file of an app that has ${name} installed`);
  }
  return (await import(pathToFileURL(path).href)) as object;
}

async function importFile(path: string): Promise<object> {
  try {
    return (await import(pathToFileURL(path).href)) as object;
  } catch (error) {
    const { code, url } = asError(error) as { code?: unknown; url?: unknown };
    if (code !== 'ERR_MODULE_NOT_FOUND' || url !== pathToFileURL(path).href) throw error;
    throw new InvalidArgumentError('--app', path, 'the compiled file of a module, such as dist/app.module.js');
  }
}

/** The named export, `AppModule`, the default export, or the only class. */
function moduleOf(exports: Record<string, unknown>, file: string, name: string | undefined): unknown {
  const inner = exports['default'];
  const all = { ...(typeof inner === 'object' ? (inner as Record<string, unknown>) : {}), ...exports };
  const classes = Object.entries(all).filter(([, value]) => typeof value === 'function');
  const [only] = classes.length === 1 ? classes : [];
  const found = name === undefined ? (all['AppModule'] ?? exports['default'] ?? only?.[1]) : all[name];
  if (typeof found === 'function') return found;
  const names = classes.map(([known]) => known).join(', ') || 'no class';
  throw new InvalidArgumentError('--export', name, `the name of a module; ${file} exports ${names}`);
}

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
