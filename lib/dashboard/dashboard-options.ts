import type { CanActivate, FactoryProvider, ModuleMetadata, Type } from '@nestjs/common';
import { InvalidArgumentError, UnknownOptionError } from '../errors/argument-errors.js';
import { ConfigurationError } from '../errors/setup-errors.js';
import { checkedOptions, type KnownOptions } from '../options/known-options.js';
import type { RunRow } from './run-rows.js';
import type { DashboardUser } from './permissions.js';
import { hideSecrets, type Redact } from './sight.js';

/** What `access` gets: the request of Express or Fastify, after the guards. */
export interface DashboardRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** What guards of the app usually set. */
  user?: Readonly<Record<string, unknown>>;
}

/**
 * A link on the page of each run. Undefined: no link for this run.
 *
 * @example { title: 'Trace', href: ({ traceId }) => traceId && `https://traces.example/trace/${traceId}` }
 */
export interface DashboardLink {
  title: string;
  href(this: void, run: RunRow): string | undefined;
}

/** What has to be known before any provider is made: routes and their guards. */
export interface DashboardMount {
  /** Where it is, below the global prefix of the app. Default `'durable'`. */
  path?: string;
  /**
   * Guards of the app, for pages, files and API alike; as `@UseGuards`. Required with `NODE_ENV=production`. Without any,
   * only this machine may look.
   */
  guards?: readonly Type<CanActivate>[];
  /** Modules with what the guards inject. */
  imports?: NonNullable<ModuleMetadata['imports']>;
}

/** What the dashboard does at its place. */
export interface DashboardConduct {
  /**
   * Where browsers find it, if a proxy strips or adds a part of the path: an absolute path such as `/tools/durable`.
   * Default: where the request came to.
   */
  publicPath?: string;
  /**
   * Who asks and what they may do; asked for every request, after the guards. Default: everything without guards, else
   * `read`, as `request.user`'s `email`, `name`, `username`, `sub` or `id`.
   *
   * @example access: ({ user }) => ({ actor: (user as { email: string }).email, may: user?.['isAdmin'] ? 'all' : 'read' })
   */
  access?(this: void, request: DashboardRequest): DashboardUser | Promise<DashboardUser>;
  /** What is shown of payloads. Default `hideSecrets`: nothing under keys such as `password`, `token` or `iban`. */
  redact?: Redact;
  /**
   * `'on demand'`: payloads are shown when somebody asks for them, which is recorded in the act log. `'always'`: it is not
   * recorded. `'never'`: not at all. Default `'on demand'`.
   */
  payloads?: 'always' | 'on demand' | 'never';
  links?: readonly DashboardLink[];
}

export interface DashboardOptions extends DashboardMount, DashboardConduct {}

/** The place is set here, everything else comes from the factory. */
export interface DashboardAsyncOptions extends DashboardMount {
  inject?: NonNullable<FactoryProvider['inject']>;
  // The factory declares the types of what is injected.
  useFactory: (...injected: never[]) => DashboardConduct | Promise<DashboardConduct>;
}

const MOUNT = { path: true, guards: true, imports: true } satisfies Record<keyof DashboardMount, true>;
const CONDUCT = { publicPath: true, access: true, redact: true, payloads: true, links: true } satisfies Record<
  keyof DashboardConduct,
  true
>;
const ASYNC = { ...MOUNT, inject: true, useFactory: true } satisfies Record<keyof DashboardAsyncOptions, true>;

const PAYLOADS = ['always', 'on demand', 'never'] as const;

/** The routes, and who guards them. */
export type DashboardRoutes = Required<Pick<DashboardMount, 'path' | 'guards'>>;

export interface DashboardSettings extends DashboardRoutes, Required<Omit<DashboardConduct, 'publicPath'>> {
  /** Without a slash at its end; empty at the root. */
  publicPath: string | undefined;
}

/** @throws UnknownOptionError */
export const checkForRoot = (options: DashboardOptions): DashboardOptions =>
  checkedOptions(options, { ...MOUNT, ...CONDUCT } as KnownOptions<DashboardOptions>, 'DurableDashboardModule.forRoot');

/** @throws UnknownOptionError, InvalidArgumentError */
export function checkForRootAsync(options: DashboardAsyncOptions): DashboardAsyncOptions {
  const name = 'DurableDashboardModule.forRootAsync';
  const misplaced = Object.keys(options).find((one) => Object.hasOwn(CONDUCT, one));
  if (misplaced !== undefined)
    throw new UnknownOptionError(name, misplaced, [], Object.keys(ASYNC), 'let useFactory return it');
  checkedOptions(options, ASYNC as KnownOptions<DashboardAsyncOptions>, name);
  if (typeof options.useFactory === 'function') return options;
  throw new InvalidArgumentError('useFactory', options.useFactory, 'a function that returns options of the dashboard');
}

/** @throws InvalidArgumentError; ConfigurationError without guards in production */
export function routesOf({ path = 'durable', guards = [] }: DashboardMount, production: boolean): DashboardRoutes {
  if (typeof path !== 'string' || !/^[\w-]+(\/[\w-]+)*$/.test(path))
    throw new InvalidArgumentError('path', path, 'a path such as durable or admin/durable');
  if (guards.length === 0 && production)
    throw new ConfigurationError(
      'The dashboard is open to everybody: pass guards in production, DurableDashboardModule.forRoot({ guards: [AdminGuard] })',
    );
  return { path, guards };
}

/** @throws InvalidArgumentError */
export function settingsOf(routes: DashboardRoutes, conduct: DashboardConduct): DashboardSettings {
  const { publicPath, redact = hideSecrets, payloads = 'on demand', links = [] } = conduct;
  if (publicPath !== undefined && !(typeof publicPath === 'string' && /^(\/|(\/[\w.~%-]+)+)$/.test(publicPath)))
    throw new InvalidArgumentError('publicPath', publicPath, 'an absolute path such as /tools/durable');
  if (!PAYLOADS.includes(payloads))
    throw new InvalidArgumentError('payloads', payloads, `one of ${PAYLOADS.join(', ')}`);
  const may = routes.guards.length === 0 ? 'all' : 'read';
  const access = conduct.access ?? ((request) => ({ actor: nameOf(request), may }));
  return { ...routes, publicPath: publicPath?.replace(/\/$/, ''), redact, payloads, links, access };
}

/** What a factory returned. @throws UnknownOptionError, InvalidArgumentError */
export function settingsOfFactory(routes: DashboardRoutes, conduct: DashboardConduct): DashboardSettings {
  const name = 'DurableDashboardModule.forRootAsync: useFactory';
  const misplaced = Object.keys(conduct).find((one) => Object.hasOwn(MOUNT, one));
  if (misplaced !== undefined)
    throw new UnknownOptionError(
      name,
      misplaced,
      [],
      Object.keys(CONDUCT),
      'pass it to forRootAsync itself: routes and guards are made before the factory is called',
    );
  return settingsOf(routes, checkedOptions(conduct, CONDUCT as KnownOptions<DashboardConduct>, name));
}

/** Who a guard of the app says it is. */
function nameOf({ user }: DashboardRequest): string {
  const named = ['email', 'name', 'username', 'sub', 'id'].map((key) => user?.[key]);
  const name = named.find((one) => (typeof one === 'string' && one !== '') || typeof one === 'number');
  return `dashboard${name === undefined ? '' : `:${String(name as string | number)}`}`.slice(0, 191);
}
