import type { InjectionToken } from '@nestjs/common';
import type { ConnectionOptions } from './durable-options.interface.js';
import { ConfigurationError } from '../errors/setup-errors.js';
import { mikroOrmExecutor } from '../sql/mikro-orm-executor.js';
import { nearest } from '../options/nearest.js';
import type { SqlExecutor } from '../sql/sql-executor.js';
import { typeOrmExecutor } from '../sql/typeorm-executor.js';

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
