import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InvalidArgumentError } from '../../errors/argument-errors.js';

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
export async function loadApp(file: string, exported: string | undefined): Promise<LoadedApp> {
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
    const { code, url } = error as { code?: unknown; url?: unknown };
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
