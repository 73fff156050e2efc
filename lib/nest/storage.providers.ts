import type { InjectionToken } from '@nestjs/common';
import { ConfigurationError, MissingRightsError } from '../core/errors.js';
import { defined, nearest } from '../core/options.js';
import type { Telemetry } from '../core/telemetry.js';
import { type Clock, SynchronizedClock, systemClock } from '../core/time.js';
import type { MethodEffect, PortMethods, StorageMethods } from '../core/transaction.js';
import { EFFECT_METHODS, type EffectStorage } from '../effects/entries.js';
import { sqlEffectStorage } from '../effects/entries.sql.js';
import { effectTables } from '../effects/tables.sql.js';
import { type NodeRoster, SessionsOfGone } from '../engine/nodes.js';
import { awaitedOf } from '../engine/signals.js';
import { ENGINE_METHODS, type EngineStorage } from '../engine/storage.js';
import { sqlEngineStorage } from '../engine/storage.sql.js';
import type { MemoryBackend } from '../memory-backend.js';
import { mergedNeeds, readableBy, wholeNeeds, type WholeRole } from '../operate/roles.js';
import { HooksOfRuns } from '../outbox/outbox.js';
import { findOutbox, migrateOutbox, requireOutbox } from '../outbox/schema.sql.js';
import { appGrants } from '../outbox/script.sql.js';
import { OUTBOX_METHODS, type OutboxStorage, RELAY_METHODS } from '../outbox/storage.js';
import { sqlOutboxStorage } from '../outbox/storage.sql.js';
import { type OutboxTables, outboxTables, ownTables } from '../outbox/tables.sql.js';
import { type CommitRiders, largestPayload, type SqlExecutor } from '../sql/executor.js';
import {
  type Bloat,
  bloatOf,
  migrate,
  migratedTables,
  pendingMigrations,
  requireMigrated,
  vacuum,
} from '../sql/migrations/migrator.js';
import {
  ALL_RIGHTS,
  allGrants,
  grantsFor,
  grantsOn,
  type GrantsTo,
  lackingRights,
  type NeededTable,
  refuseTables,
  type Right,
  sayingRights,
} from '../sql/migrations/rights.js';
import { mikroOrmExecutor } from '../sql/mikro-orm.js';
import type { Notifier } from '../sql/notifier.js';
import { selectOwnSession } from '../sql/servers.js';
import { isOfProcess, keepQuiet, type PoolCounts, sessionsOfProcess } from '../sql/pools.js';
import type { Identifier } from '../sql/statement.js';
import { protectTables } from '../sql/table-protection.js';
import { findTables, type Tables } from '../sql/tables.js';
import { typeOrmExecutor } from '../sql/typeorm.js';
import { STORE_METHODS, type StoreStorage } from '../store/store.js';
import { sqlStoreStorage } from '../store/store.sql.js';
import { DbTransport, type TransportEnds } from '../worker/db-transport.js';
import { SqlLostAttempts, SqlStepLogSink } from '../worker/lost-attempts.sql.js';
import type { StepLogSink } from '../worker/task-lives.js';
import { type LostAttempts, TASK_SOURCE_METHODS, type TaskSource } from '../worker/task-source.js';
import { checkHook, type ConnectionOptions, type DurableSettings } from './options.js';
import type { OutboxSettings } from './slice-options.js';

/** The storage shared by engine, worker and client of a process, regardless of its kind. */
export interface Storage {
  /** For log lines. */
  name: string;
  /** Looks up where tables are that exist: until then a statement finds them by their names alone. @throws DatabaseError */
  find?(): Promise<void>;
  /**
   * Migrates or checks the tables, for a process with these roles. Returns the ids of the applied migrations.
   *
   * @throws SchemaError, MissingRightsError
   */
  prepare(roles: ReadonlySet<string>): Promise<readonly string[]>;
  /** The migrations that the tables lack: one read of a small table. @throws DatabaseError */
  pending(): Promise<readonly string[]>;
  /** The server's payload limit in bytes of JSON; undefined if it is above all limits. Call it after `prepare`. */
  largestPayload?(): Promise<number | undefined>;
  /** Makes the space of deleted rows reusable. Returns the number of tables. */
  vacuum(): Promise<number>;
  /** What PostgreSQL keeps of deleted rows; undefined elsewhere. */
  bloat(): Promise<Bloat | undefined>;
  /** How the pool's connections are used; undefined if it does not tell. */
  poolCounts?: () => PoolCounts | undefined;
  /** Of all connections that are open in this process. */
  sessions?: () => { of: string | undefined; all: readonly { session: number; port: number }[] };
  notifier: Pick<Notifier, 'live' | 'start' | 'stop'>;
  /** Undefined if nothing is sent by the database. */
  transport?: DbTransport;
  /** The storage's time, as precisely as a process can know it. */
  clock: Clock;
  /** Updated by an engine's heartbeats; undefined if a test controls the clock. */
  databaseClock: SynchronizedClock | undefined;
  source: TaskSource;
  /** Stores log lines of handlers; undefined if they are not stored. */
  stepLogs?: StepLogSink;
  /** Stores attempts whose workers died. */
  lostAttempts: LostAttempts;
  /** Every port of what processes of the app share. */
  store: StoreStorage;
  /** Every port of the engine. */
  engine: EngineStorage;
  /** Undefined if it is turned off. */
  outbox: OutboxStorage | undefined;
  /** Undefined if they are turned off. */
  effects: EffectStorage | undefined;
}

/** Ensures that an app that is only checked does not write. */
function onlyRead(storage: Storage): Storage {
  const { transactions, hooks: _hooks, ...ports } = storage.engine;
  const { transactions: _, ...methods } = ENGINE_METHODS;
  const { outbox, effects } = storage;
  return {
    ...storage,
    engine: { ...readOnlyAll(ports, methods), transactions },
    outbox: outbox && {
      ...readOnlyAll(outboxPorts(outbox), OUTBOX_METHODS),
      relay: readOnlyAll(outbox.relay, RELAY_METHODS),
      signals: outbox.signals,
    },
    effects: effects && readOnlyAll(effects, EFFECT_METHODS),
    source: readOnly(storage.source, TASK_SOURCE_METHODS),
    store: readOnlyAll(storage.store, STORE_METHODS),
  };
}

const outboxPorts = ({ relay: _relay, signals: _signals, ...ports }: OutboxStorage) => ports;

/** Uses the app's database, or the backend that replaces it. */
export function createStorage(
  settings: DurableSettings,
  executor: SqlExecutor | undefined,
  telemetry: Telemetry,
): Storage {
  const storage = settings.backend
    ? memoryStorage(settings, settings.backend, telemetry)
    : sqlStorage({ ...settings, migrate: settings.migrate && !checkHook() }, executor!, telemetry);
  const hook = checkHook();
  return hook && hook.writes !== true ? onlyRead(storage) : storage;
}

const EXISTING = { existing: true };

function sqlStorage(settings: DurableSettings, connection: SqlExecutor, telemetry: Telemetry): Storage {
  const { clock: turned, prefix } = settings;
  const transport = dbTransport(settings, connection, telemetry);
  const hook = checkHook();
  const owner = { ...settings, telemetry, starts: !hook, writes: !hook || hook.writes === true };
  const { executor, tables, notifier, now, ...ends } = transport.forEngine(owner);
  const others = endsOf(settings.transport);
  const { source, riders, ...carried } = others ?? { ...ends, riders: ends.dispatcher };
  const published = settings.outbox ? publishedTables(settings.outbox, tables) : undefined;
  if (process.env['NODE_ENV'] !== 'production')
    executor.onApart?.((what) => telemetry.emit('transaction.apart', { what }));
  keepQuiet((work) => telemetry.quietly(work));
  const unprotected = protectTables(executor, prefix, ownTables(executor.dialect, prefix, settings.outbox));
  if (unprotected) telemetry.emit('tables.unprotected', unprotected);
  const databaseClock = turned ? undefined : new SynchronizedClock(systemClock);
  const clock = turned ?? databaseClock ?? systemClock;
  const outbox =
    settings.outbox && published ? outboxOn(settings.outbox, published, { executor, notifier, now }) : undefined;
  const hooks = outbox && new HooksOfRuns(outbox, settings.namespace);
  const engine = { ...sqlEngineStorage(executor, tables, notifier, now, riders), ...carried, hooks };
  let prepared: { user: string | undefined } | undefined;
  // A clock that is turned says nothing about the others, and a check writes nothing.
  const mayEnd = !turned && !checkHook();
  endSessionsOfGone(executor, engine.roster, () => mayEnd && prepared !== undefined, telemetry);
  return {
    ...(!others && { transport }),
    notifier,
    clock,
    databaseClock,
    source,
    engine,
    poolCounts: () => executor.poolCounts?.(),
    sessions: () => ({ of: prepared?.user, all: sessionsOfProcess() }),
    stepLogs: new SqlStepLogSink(executor, tables),
    lostAttempts: new SqlLostAttempts(executor, tables, now),
    store: sqlStoreStorage(executor, tables, notifier, now),
    name: `${executor.dialect.name}, tables ${prefix}_*`,
    outbox,
    effects: effectsOn(settings, { executor, tables, notifier, now }, engine),
    vacuum: () => vacuum(executor, tables, published ? [published.outbox, published.nodes] : []),
    bloat: () => bloatOf(executor, tables.home, namesOf(executor, tables, published)),
    find: () => (published ? findOutbox(executor, published, EXISTING) : findTables(executor, tables, EXISTING)),
    prepare: async (roles) => {
      const migrated = await prepareTables({ settings, tables, published }, executor, roles);
      prepared = { user: await userOfSessions(executor) };
      return migrated;
    },
    pending: () => pendingMigrations(executor, tables),
    largestPayload: () => largestPayload(executor),
  };
}

/** Whose sessions those of this process are; undefined behind a proxy, where the server knows them by other numbers. */
async function userOfSessions(executor: SqlExecutor): Promise<string | undefined> {
  type Own = { session: unknown; port: unknown; me: string };
  const [own] = (await executor.run<Own>(selectOwnSession(executor.dialect))).rows;
  return isOfProcess({ session: Number(own?.session), port: Number(own?.port) }) ? own?.me : undefined;
}

/** Where it may, ends sessions of processes that are gone, behind whose locks statements wait. */
function endSessionsOfGone(
  executor: SqlExecutor,
  roster: NodeRoster,
  mayEnd: () => boolean,
  telemetry: Telemetry,
): void {
  const gone = new SessionsOfGone(roster, async (session) => (await executor.endSession?.(session)) ?? false);
  executor.onLockWait?.(async (holders) => {
    const others = holders.flatMap(({ session, port, process }) =>
      port === undefined || isOfProcess({ session, port }) ? [] : { session, port, process },
    );
    if (others.length === 0 || !mayEnd()) return;
    try {
      await gone.endAmong(others, ({ session, process }, nodeId) =>
        telemetry.emit('connection.ended', { session, process, nodeId }),
      );
    } catch (error) {
      telemetry.emit('loop.error', { loop: 'locks of processes that are gone', error });
    }
  });
}

function namesOf({ dialect }: SqlExecutor, tables: Tables, published: OutboxTables | undefined): string[] {
  const ours = migratedTables(dialect, tables).map(({ name }) => name);
  return published ? [...ours, published.names.table] : ours;
}

function outboxOn(
  { ordering, retainMs }: OutboxSettings,
  published: OutboxTables,
  { executor, notifier, now }: Pick<TransportEnds, 'executor' | 'notifier' | 'now'>,
): OutboxStorage {
  const options = { ordering, retains: retainMs > 0, now };
  return sqlOutboxStorage(executor, published, notifier, options);
}

function effectsOn(
  { effects }: DurableSettings,
  {
    executor,
    tables: { prefix, home },
    notifier,
    now,
  }: Pick<TransportEnds, 'executor' | 'tables' | 'notifier' | 'now'>,
  { effectWaits }: Pick<EngineStorage, 'effectWaits'>,
): EffectStorage | undefined {
  if (!effects) return undefined;
  const options = { now, sink: effects.audit, awaited: awaitedOf(effectWaits) };
  return sqlEffectStorage(executor, effectTables(prefix, home), notifier, options);
}

type Ends = Pick<EngineStorage, 'dispatcher' | 'answers'> & Pick<Storage, 'source'> & { riders?: CommitRiders };

/** The given one, or one on the app's connection. */
function dbTransport(
  { transport, prefix, schema, clock, sessions, wake, migrate: autoCreate }: DurableSettings,
  executor: SqlExecutor,
  telemetry: Telemetry,
): DbTransport {
  if (transport instanceof DbTransport) return transport;
  const options = { executor, prefix, sessions, autoCreate, ...defined({ schema, clock, wake }) };
  return new DbTransport(options, telemetry);
}

/** Of a transport that is not the database. */
const endsOf = (transport: DurableSettings['transport']): Ends | undefined =>
  transport === 'db' || transport instanceof DbTransport
    ? undefined
    : { dispatcher: transport, answers: transport, source: transport };

/** Writers in memory notify at once, so nothing has to be polled. */
function memoryStorage(
  { transport, outbox, effects, namespace }: DurableSettings,
  backend: MemoryBackend,
  telemetry: Telemetry,
): Storage {
  const { name, clock, engine, source, lostAttempts, store } = backend;
  const { source: carried, ...answered } = endsOf(transport) ?? { source };
  let unsubscribe = (): void => {};
  return {
    name,
    prepare: () => Promise.resolve([]),
    pending: () => Promise.resolve([]),
    vacuum: () => Promise.resolve(0),
    bloat: () => Promise.resolve(undefined),
    notifier: {
      live: true,
      start: () => {
        unsubscribe = backend.onProblem((error) => telemetry.emit('loop.error', { loop: 'the memory backend', error }));
      },
      stop: async () => unsubscribe(),
    },
    clock,
    databaseClock: undefined,
    source: carried,
    lostAttempts,
    store,
    engine: { ...engine, ...answered, ...(outbox && { hooks: new HooksOfRuns(backend.outbox, namespace) }) },
    outbox: outbox ? backend.outbox : undefined,
    effects: effects ? backend.effects(effects.audit) : undefined,
  };
}

/** The tables of a process. */
interface Own {
  settings: DurableSettings;
  /** As it signs in: `engine`, `worker`, `relay`, `effects`; none for a process that only asks and starts. */
  roles: ReadonlySet<string>;
  tables: Tables;
  /** Undefined without an outbox. */
  published?: OutboxTables | undefined;
  /** For the published tables. */
  grantsTo: GrantsTo;
}

/**
 * Migrates the tables of this process, or checks them, and that its user may use them. Returns the names of what it
 * created.
 *
 * @throws SchemaError when tables are missing; MissingRightsError when the user may not create, read or write them.
 */
async function prepareTables(
  parts: Pick<Own, 'settings' | 'tables' | 'published'>,
  executor: SqlExecutor,
  roles: ReadonlySet<string>,
): Promise<readonly string[]> {
  const { published } = parts;
  const own = { ...parts, roles, grantsTo: published ? appGrants(published) : () => [] };
  const applied = parts.settings.migrate ? await migrateAll(own, executor) : await requireAll(own, executor);
  // A check only reads.
  if (!checkHook()) await requireRights(own, executor);
  return applied;
}

const publishedTables = ({ table, nodesTable, schema }: OutboxSettings, { prefix, home }: Tables): OutboxTables =>
  outboxTables(prefix, { table, nodesTable, schema }, home);

async function migrateAll({ settings, tables, published, grantsTo }: Own, executor: SqlExecutor): Promise<string[]> {
  const applied = await migrate(executor, tables, { grantsTo });
  const { outbox } = settings;
  return outbox && published ? [...applied, ...(await migrateOutbox(executor, published, outbox))] : applied;
}

async function requireAll(own: Own, executor: SqlExecutor): Promise<string[]> {
  const { settings, tables, published, grantsTo } = own;
  await requireMigrated(executor, tables, { grantsTo });
  const { outbox } = settings;
  // A check replays runs without the outbox, before the deploy that creates it.
  if (outbox && published && !checkHook())
    await requireOutbox(executor, published, outbox).catch((error: unknown) => {
      if (!(error instanceof MissingRightsError) || rightsToEvents(own).length > 0) throw error;
    });
  return [];
}

/** A new version brings tables that the user may have no right to; another owner may have created all of them. */
async function requireRights(own: Own, executor: SqlExecutor): Promise<void> {
  const { tables, published, grantsTo } = own;
  const { prefix, home } = tables;
  const ours = migratedTables(executor.dialect, tables);
  const everything = { prefix, home, grantsTo: allGrants(grantsOn(ours), grantsTo) };
  const events = published ? publishedNeeds(own, published) : [];
  const look = (needed: readonly NeededTable[]) =>
    sayingRights(executor, everything, () => lackingRights(executor, needed));
  const [first = [], ...others] = processNeeds(own, ours).map((needed) =>
    needed.map((table) => ({ ...table, schema: home.schema })),
  );
  const lacking = await look([...first, ...events]);
  for (const other of others) if (lacking.length > 0 && (await look([...other, ...events])).length === 0) return;
  if (lacking.length === 0) return;
  const names = new Set(lacking.map(({ name }) => name));
  const lackingOurs = first.filter(({ name }) => names.has(name));
  const isPublished = lacking.length > lackingOurs.length;
  const missing = [...(lackingOurs.length > 0 ? [grantsFor(lackingOurs)] : []), ...(isPublished ? [grantsTo] : [])];
  await refuseTables(executor, { prefix, home, grantsTo: allGrants(...missing) }, [...names]);
}

/**
 * What a process needs of our tables, or as an alternative. Without a role of its own it may be a client, an operator
 * or a reader: only the first use tells.
 */
function processNeeds({ roles, tables: { prefix } }: Own, ours: readonly Identifier[]): NeededTable[][] {
  const names = ours.map(({ name }) => name);
  const of = (role: WholeRole) => wholeNeeds(role, prefix, names);
  if (roles.has('engine')) return [of('engine')];
  const parts = PARTS.filter((part) => roles.has(part));
  if (parts.length === 0) return [of('client'), of('operator'), readableBy(prefix, names)];
  return [mergedNeeds(parts.flatMap(of))];
}

const PARTS = ['worker', 'relay', 'effects'] as const;

/** What a process surely does with them: its user may have one of the roles of `outboxRolesSql`. */
function publishedNeeds(own: Own, { names }: OutboxTables): NeededTable[] {
  const { schema, table, nodesTable } = names;
  const rights = rightsToEvents(own);
  return [
    ...(rights.length > 0 ? [{ schema, name: table, rights }] : []),
    ...(relays(own) ? [{ schema, name: nodesTable, rights: ALL_RIGHTS }] : []),
  ];
}

/** Empty for a process that may never publish an event, as far as its options tell. */
function rightsToEvents(own: Own): Right[] {
  const { relay, retainMs } = own.settings.outbox as OutboxSettings;
  const relaying: Right[] = relays(own) ? ['SELECT', 'UPDATE', 'DELETE'] : [];
  const writes: Right[] = own.roles.has('engine') || !relay ? ['INSERT'] : [];
  const reads: Right[] = retainMs > 0 && !relays(own) ? ['SELECT'] : [];
  return [...writes, ...relaying, ...reads];
}

/** An engine may tell hooks of other processes, and prunes. */
const relays = ({ roles, settings }: Own): boolean => {
  const { relay, retainMs } = settings.outbox as OutboxSettings;
  return relay && (roles.has('engine') || roles.has('relay') || retainMs > 0);
};

type OrmName = NonNullable<ConnectionOptions['orm']>;

interface Orm {
  name: OrmName;
  /** Names for error messages: the package, the module and the connection. */
  packageName: string;
  moduleName: string;
  /** The class that is the token of the unnamed connection. */
  defaultToken: () => Promise<InjectionToken>;
  namedToken: (name: string) => string;
  /** Matches tokens of connections and captures their names. */
  tokenPattern: RegExp;
  executor: (handle: object) => SqlExecutor;
}

const ORMS: readonly Orm[] = [
  {
    name: 'typeorm',
    packageName: 'typeorm',
    moduleName: 'TypeOrmModule.forRoot(…)',
    defaultToken: async () => (await import('typeorm')).DataSource,
    namedToken: (name) => `${name}DataSource`,
    tokenPattern: /^(.+)DataSource$/,
    executor: typeOrmExecutor,
  },
  {
    name: 'mikro-orm',
    packageName: '@mikro-orm/core',
    moduleName: 'MikroOrmModule.forRoot(…)',
    defaultToken: async () => (await import('@mikro-orm/core')).MikroORM,
    namedToken: (name) => `${name}_MikroORM`,
    tokenPattern: /^(.+)_MikroORM$/,
    executor: mikroOrmExecutor,
  },
];

/** The token under which an ORM's connection would be in the container. */
export interface OrmCandidate {
  orm: OrmName;
  /** Undefined when its package is not installed, or failed to load with `error`. */
  token: InjectionToken | undefined;
  error?: unknown;
}

/** Never rejects: problems with a package are reported when the app starts. */
export function ormCandidates({ orm, connection }: ConnectionOptions): Promise<OrmCandidate[]> {
  const wanted = ORMS.filter(({ name }) => orm === undefined || name === orm);
  return Promise.all(wanted.map((each) => candidateOf(each, connection)));
}

async function candidateOf(
  { name, defaultToken, namedToken }: Orm,
  connection: string | undefined,
): Promise<OrmCandidate> {
  try {
    const token = await defaultToken();
    // TypeORM uses this name for the unnamed connection, too.
    const isNamed = connection !== undefined && connection !== 'default';
    return { orm: name, token: isNamed ? namedToken(connection) : token };
  } catch (error) {
    const { code } = error as { code?: unknown };
    const isMissing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
    return { orm: name, token: undefined, ...(!isMissing && { error }) };
  }
}

/**
 * The executor of the app's ORM. `handles` are the container's values for the candidates; `tokens` are all its tokens.
 *
 * @throws ConfigurationError when there is none, more than one, or none with that name.
 */
export function executorOf(
  candidates: readonly OrmCandidate[],
  handles: readonly unknown[],
  tokens: () => Iterable<unknown>,
  { orm, connection }: ConnectionOptions,
): SqlExecutor {
  const found = candidates
    .map((candidate, at) => ({ ...candidate, handle: handles[at] as object | undefined }))
    .filter((candidate) => candidate.handle !== undefined && (orm === undefined || candidate.orm === orm));
  const [first, second] = found;
  if (first?.handle && !second) return ORMS.find(({ name }) => name === first.orm)!.executor(first.handle);
  if (second) {
    throw new ConfigurationError(
      `The app has TypeORM and MikroORM: pass orm: 'typeorm' or orm: 'mikro-orm' to DurableModule`,
    );
  }
  const broken = candidates.find(({ error }) => error !== undefined);
  if (broken) {
    throw new ConfigurationError(`The package of ${broken.orm} cannot be loaded: repair or remove it`, {
      cause: broken.error,
    });
  }
  throw new ConfigurationError(
    notFound(candidates, tokens(), { ...(orm && { orm }), ...(connection !== undefined && { connection }) }),
  );
}

function notFound(
  candidates: readonly OrmCandidate[],
  tokens: Iterable<unknown>,
  { orm, connection }: ConnectionOptions,
): string {
  const all = [...tokens];
  const known = all.flatMap((token) => namesIn(token, orm));
  const others = known.length > 0 ? `; the app has ${known.join(', ')}` : '';
  const installed = (name: OrmName) =>
    candidates.some((candidate) => candidate.orm === name && candidate.token !== undefined);
  if (orm !== undefined && !installed(orm)) {
    const { packageName } = ORMS.find(({ name }) => name === orm)!;
    return `orm is '${orm}', but the package ${packageName} is not installed: install it, or omit orm`;
  }
  if (connection !== undefined) {
    return `No connection is called "${connection}": ${otherwise(connection, known, all)}`;
  }
  if (known.length > 0) return `The connections of the app have names${others}: pass one as connection`;
  const modules = ORMS.filter(({ name }) => orm === undefined || name === orm).map(({ moduleName }) => moduleName);
  return (
    `DurableModule found no ORM in the app: import ${modules.join(' or ')} next to it, ` +
    'or pass executor: typeOrmExecutor(dataSource) or mikroOrmExecutor(orm)'
  );
}

/** What the app has instead: connections with names, the one without a name, or none. */
function otherwise(connection: string, known: readonly string[], tokens: readonly unknown[]): string {
  const hasUnnamed = tokens.some((token) => typeof token === 'function' && UNNAMED.includes(token.name));
  const [likeliest] = nearest(`"${connection}"`, known);
  const guess = likeliest === undefined ? '' : `did you mean ${likeliest}? `;
  if (known.length > 0)
    return `${guess}The app has ${known.join(', ')}${hasUnnamed ? ', and one without a name: omit connection for it' : ''}`;
  return hasUnnamed
    ? 'the app has only one without a name: omit connection'
    : 'the app has no connection at all: import the module of its ORM next to DurableModule';
}

/** The classes that are the tokens of a connection without a name. */
const UNNAMED: readonly string[] = ['DataSource', 'MikroORM'];

function namesIn(token: unknown, orm: OrmName | undefined): string[] {
  if (typeof token !== 'string') return [];
  const candidates = ORMS.filter(({ name }) => orm === undefined || name === orm);
  return candidates.flatMap(({ tokenPattern }) => tokenPattern.exec(token)?.[1] ?? []).map((name) => `"${name}"`);
}

/** A port of a feature that is turned off: every call rejects. */
export function refusing<Port extends object>(message: string): Port {
  const refuse = () => Promise.reject(new ConfigurationError(message));
  return new Proxy({} as Port, { get: () => refuse });
}

/** The same for each of several ports. */
export const refusingAll = <Ports extends object>(
  methods: { readonly [Name in keyof Ports]: unknown },
  message: string,
): Ports => Object.fromEntries(Object.keys(methods).map((name) => [name, refusing(message)])) as Ports;

/** The same port, restricted to methods that only read. */
function readOnly<Port extends object>(port: Port, methods: PortMethods<Port>): Port {
  const effects = new Map<string | symbol, MethodEffect>(Object.entries(methods));
  return new Proxy(port, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name, target);
      if (typeof method !== 'function') return method;
      const effect = effects.get(name);
      if (typeof name === 'symbol' || effect === 'reads' || effect === 'tells')
        return (method as (...args: unknown[]) => unknown).bind(target);
      return () => {
        throw new ConfigurationError(
          `"nest-durable check" writes nothing, but the app calls "${name}" during the check: ` +
            'call it after the start of the app, or only if process.env.NEST_DURABLE_CHECK is not set',
        );
      };
    },
  });
}

/** Restricts each of several ports. */
function readOnlyAll<Ports extends object>(ports: Ports, methods: StorageMethods<Ports>): Ports {
  const names = Object.keys(methods) as (keyof Ports)[];
  const one = <Name extends keyof Ports>(name: Name) =>
    readOnly(ports[name] as Ports[Name] & object, methods[name] as PortMethods<Ports[Name] & object>);
  return Object.fromEntries(names.map((name) => [name, one(name)])) as Ports;
}
