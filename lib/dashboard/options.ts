import type { CanActivate, FactoryProvider, ModuleMetadata, Type } from '@nestjs/common';
import { jsonCodec } from '../core/codec.js';
import { ConfigurationError, InvalidArgumentError, UnknownOptionError } from '../core/errors.js';
import { checkedOptions, defined, type KnownOptions } from '../core/options.js';
import type { Attributes } from '../engine/run.js';
import type { StoryEntry } from '../engine/story.js';
import type { ErrorView, ListedStep, WorkflowStepFacts } from '../engine/views.js';
import type { ShownRun } from '../operate/operator-runs.js';

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

/** What a user of the dashboard may do. `read`: everything but payloads. The server checks it at every route. */
export const PERMISSIONS = [
  ...([
    'read',
    'payloads',
    'cancel',
    'terminate',
    'retry',
    'signal',
    'restart',
    'fork',
    'complete',
    'delete',
    'export',
  ] as const),
  ...(['hold', 'drain', 'schedules', 'outbox', 'effects', 'doctor'] as const),
] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** Who looks, and what they may do. Without `read` they see nothing. */
export interface DashboardUser {
  /** Written into the act log with everything the user changes: a name, an address. */
  actor: string;
  may: 'all' | 'read' | readonly Permission[];
}

export const permissionsOf = ({ may }: DashboardUser): readonly Permission[] =>
  may === 'all'
    ? PERMISSIONS
    : may === 'read'
      ? ['read']
      : PERMISSIONS.filter((permission) => may.includes(permission));

/** A value of a payload on its way to a browser. */
export interface PayloadOrigin {
  kind: 'input' | 'output' | 'error' | 'logs' | 'attributes' | 'status';
  /** Undefined for what belongs to no run. */
  workflow?: string;
  runId?: string;
  /** The name of the step that it belongs to. */
  step?: string;
  /** The keys that lead to it; empty for the payload itself. */
  path: readonly string[];
  value: unknown;
}

/** Returns the value, or what is shown instead of it. Called for every value of a payload, the outer ones first. */
export type Redact = (origin: PayloadOrigin) => unknown;

/** A payload as a user may see it. */
export type Show = (payload: unknown, origin: Omit<PayloadOrigin, 'path' | 'value'>) => unknown;

/** What is shown instead of a value that is not to be seen. */
export const REDACTED = '[redacted]';

const SECRET =
  /(^|_)(pass(word|wd|phrase|code)|pwd|tokens?|jwt|secrets?|auth(orization)?|cookies?|credentials?|iban|cvc|cvv|pan|cards?|api_?key|private_?key|access_?key)(_|$)/;

/** `accessToken`, `access-token` and `APIToken` in words. */
const wordsOf = (key: string): string =>
  key
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3_$2$4')
    .replaceAll(/\W/g, '_')
    .toLowerCase();

/** The default: hides values under keys with a word such as `password`, `token`, `secret`, `iban` or `card`. */
export const hideSecrets: Redact = ({ path, value }) => (SECRET.test(wordsOf(path.at(-1) ?? '')) ? REDACTED : value);

/**
 * A payload as plain JSON for the page: values that JSON does not have stay tagged (`{"$durable":"BigInt",…}`), and each
 * has passed `redact`.
 */
export function shown(payload: unknown, origin: Omit<PayloadOrigin, 'path' | 'value'>, redact: Redact): unknown {
  const walk = (value: unknown, path: readonly string[]): unknown => {
    const seen = redact({ ...origin, path, value });
    if (typeof seen !== 'object' || seen === null) return seen;
    if (Array.isArray(seen)) return seen.map((one, n) => walk(one, [...path, String(n)]));
    if (isMap(seen)) {
      // The entries of a map have its keys, as those of an object.
      const entries = seen.value.map(([key, one]) => [walk(key, path), walk(one, [...path, textOf(key)])]);
      return { ...seen, value: entries };
    }
    return Object.fromEntries(Object.entries(seen).map(([key, one]) => [key, walk(one, [...path, key])]));
  };
  return walk(JSON.parse(jsonCodec.encode(payload)), []);
}

const isMap = (value: object): value is { $durable: 'Map'; value: [unknown, unknown][] } =>
  '$durable' in value && value.$durable === 'Map' && 'value' in value && Array.isArray(value.value);

const textOf = (key: unknown): string => (typeof key === 'string' ? key : JSON.stringify(key));

/** A run in a list, or with its `traceId` at the head of its page: no payloads, and of its error neither stack nor causes. */
export type RunRow = Omit<
  ShownRun,
  'input' | 'output' | 'error' | 'blockedBy' | 'history' | 'logs' | 'children' | 'recomputed' | 'moreHistory'
> & { error: Pick<ErrorView, 'name' | 'message' | 'code'> | null };

export function rowOf(run: ShownRun, show: Show): RunRow {
  const { input: _input, output: _output, error, blockedBy: _blockedBy, history: _history, ...rest } = run;
  const { logs: _logs, children: _children, recomputed: _recomputed, moreHistory: _more, ...row } = rest;
  const origin = { workflow: run.workflow, runId: run.id };
  return {
    ...row,
    attributes: show(run.attributes, { ...origin, kind: 'attributes' }) as Attributes,
    customStatus: show(run.customStatus, { ...origin, kind: 'status' }) as string | null,
    reasonDetail: show(run.reasonDetail, { ...origin, kind: 'error' }) as string | null,
    error: shortError(error, origin, show),
  };
}

/** A step in the timeline: its outcome is asked for when somebody opens it. */
export type StepRow = Omit<WorkflowStepFacts, 'error' | 'attempts'> & {
  error: RunRow['error'];
  attempts: (Omit<WorkflowStepFacts['attempts'][number], 'error'> & { error: RunRow['error'] })[];
};

export function stepRowOf(
  step: WorkflowStepFacts,
  run: Pick<PayloadOrigin, 'workflow' | 'runId'>,
  show: Show,
): StepRow {
  const { error, attempts, ...row } = step;
  const origin = { ...run, step: step.name };
  const short = (of: ErrorView | null) => shortError(of, origin, show);
  return {
    ...row,
    error: short(error),
    attempts: attempts.map((attempt) => ({ ...attempt, error: short(attempt.error) })),
  };
}

/** A step among those of many runs. */
export const listedStepOf = ({ error, ...step }: ListedStep, show: Show) => ({
  ...step,
  error: shortError(error, { workflow: step.workflow, runId: step.workflowId, step: step.name }, show),
});

/** An entry of a story with the name and the message of its error, and what else quotes one. */
export function storyRowOf(entry: StoryEntry, show: Show): unknown {
  const origin = { runId: entry.runId };
  const seen = (text: string | null) => text && String(show(text, { ...origin, kind: 'error' }));
  if (entry.kind === 'run.blocked') return { ...entry, detail: seen(entry.detail) };
  if (!('error' in entry)) return entry;
  const { error } = entry;
  return { ...entry, error: typeof error === 'string' ? seen(error) : shortError(error, origin, show) };
}

type Origin = Omit<PayloadOrigin, 'kind' | 'path' | 'value'>;

const shortError = (error: ErrorView | null, origin: Origin, show: Show): RunRow['error'] =>
  error && {
    message: String(show(error.message, { ...origin, kind: 'error' })),
    ...defined({ name: error.name, code: error.code }),
  };
