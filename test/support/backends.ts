import { createDatabase, type FreshDatabase } from './fresh-database.js';
import { roleOfTests } from './role-of-tests.js';
import type { Role } from './role-users.js';
import type { OpenRoles } from './under-roles.js';
import { suite, tier } from './tiers.js';
import { type DatabaseName, missing, type ServerAddress, servers } from './test-servers.js';

export type OrmName = 'typeorm' | 'mikro-orm';

export interface OpenOptions {
  /** The most connections of the ORM's pool. Default 10. */
  poolMax?: number;
  /** Entities of the app. */
  entities?: unknown[];
  /** More options for `new DataSource(…)` or `MikroORM.init(…)`. */
  orm?: object;
  /** In suites under roles: connects with the rights of this role. Default: those of an engine. */
  role?: Role;
}

export interface OpenBackend extends FreshDatabase {
  /** `typeorm on postgres`. */
  name: string;
  orm: OrmName;
  /** A `DataSource` or a `MikroORM`, ready to use. */
  handle: unknown;
  /** A second handle with a pool of its own on the same database, as another process has; closed with the first. */
  another(options?: OpenOptions): Promise<unknown>;
  /** The same, to be closed by who has asked for it. */
  connect(options?: OpenOptions): Promise<OpenHandle>;
}

export interface Backend {
  name: string;
  orm: OrmName;
  db: DatabaseName;
  /** Opens the ORM on a new database, which `close()` drops. */
  open(options?: OpenOptions): Promise<OpenBackend>;
}

/** An ORM connected to a database, as an app would. */
export interface OpenHandle {
  handle: unknown;
  close(): Promise<void>;
}

const ORMS = ['typeorm', 'mikro-orm'] as const;
const DATABASES = ['postgres', 'mysql', 'mariadb'] as const;

/** What only some suites need is loaded by those: each loads its modules anew. */
const connect = async (orm: OrmName, to: FreshDatabase, options: OpenOptions): Promise<OpenHandle> =>
  orm === 'typeorm'
    ? (await import('./open-typeorm.js')).openTypeOrm(to, options)
    : (await import('./open-mikro-orm.js')).openMikroOrm(to, options);

/** On the server of this run, unless another is given. */
export function backendOf(orm: OrmName, db: DatabaseName, server?: ServerAddress): Backend {
  const name = `${orm} on ${db}`;
  const create = () => (server ? createDatabase(db, server) : createDatabase(db));
  return { name, orm, db, open: async (options = {}) => open(name, orm, await create(), options) };
}

async function open(name: string, orm: OrmName, database: FreshDatabase, options: OpenOptions): Promise<OpenBackend> {
  const opened: OpenHandle[] = [];
  let roles: OpenRoles | undefined;
  const connectAs = ({ role = roleOfTests(), ...more }: OpenOptions = {}) =>
    connect(orm, roles && role ? roles.as(role) : database, more);
  const another = async (options?: OpenOptions) => {
    const connected = await connectAs(options);
    opened.push(connected);
    return connected.handle;
  };
  const close = async () => {
    await Promise.allSettled(opened.map((connected) => connected.close()));
    await roles?.close();
    await database.close();
  };
  try {
    if (roleOfTests()) roles = await (await import('./under-roles.js')).underRoles(database);
    const { query } = roles ?? database;
    return { ...database, query, name, orm, handle: await another(options), another, connect: connectAs, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Every pair of ORM and database that this machine can run. */
export const backends: readonly Backend[] = servers.flatMap(({ db }) => ORMS.map((orm) => backendOf(orm, db)));

/** The same for the databases that are not there. */
const absentBackends: readonly Backend[] = missing.flatMap(({ db }) => ORMS.map((orm) => backendOf(orm, db)));

const numberOf = (text: string): number => [...text].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);

/** One of the pairs of each database: the ORMs take turns, in another order for each title. */
function inTurn(title: string, pairs: readonly Backend[]): readonly Backend[] {
  return DATABASES.flatMap((db, n) => {
    const ofDatabase = pairs.filter((pair) => pair.db === db);
    return ofDatabase.length === 0 ? [] : [ofDatabase[(numberOf(title) + n) % ofDatabase.length]!];
  });
}

/**
 * Those of `pairs` that a block of the running suite runs on, by its folder: every database in `contract`, one for each
 * file in `behaviour`, PostgreSQL in `apps`, the ORMs in turn; all of them in `full`, and with `npm run test:full`.
 */
export function chosen(title: string, pairs: readonly Backend[] = backends): readonly Backend[] {
  switch (tier()) {
    case 'full':
      return pairs;
    case 'apps':
      return inTurn(title, pairs).filter(({ db }) => db === 'postgres');
    case 'behaviour': {
      const turns = inTurn(title, pairs);
      const dbs = DATABASES.filter((db) => turns.some((pair) => pair.db === db));
      return turns.filter(({ db }) => db === dbs[numberOf(suite()) % dbs.length]);
    }
    default:
      return inTurn(title, pairs);
  }
}

interface Choice {
  only?: (backend: Backend) => boolean;
}

/**
 * A describe block for every pair of ORM and database: for what executors promise, and for what an ORM can do
 * differently. Those of a database that this machine has not count as skipped, so that a report never says more than
 * was run.
 */
export function describeBackends(
  title: string,
  body: (backend: Backend) => void,
  { only = () => true }: Choice = {},
): void {
  describeEach(title, body, backends.filter(only), absentBackends.filter(only));
}

/** A describe block for the databases of this suite's folder, see `chosen`: for what is built upon executors. */
export function describeDatabases(
  title: string,
  body: (backend: Backend) => void,
  { only = () => true }: Choice = {},
): void {
  const isEach = ['full', 'contract'].includes(tier());
  const absent = isEach ? chosen(title, absentBackends.filter(only)) : [];
  describeEach(title, body, chosen(title, backends.filter(only)), absent);
}

function describeEach(
  title: string,
  body: (backend: Backend) => void,
  present: readonly Backend[],
  absent: readonly Backend[],
): void {
  for (const backend of present) describe(`${title} [${backend.name}]`, () => body(backend));
  for (const backend of absent) describe.skip(`${title} [${backend.name}]`, () => body(backend));
}
