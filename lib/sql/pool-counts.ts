/** The connections of a pool, at one moment. */
export interface PoolCounts {
  /** The most that it opens; undefined if it does not say. */
  readonly most: number | undefined;
  /** How many somebody in this process holds, whoever it is. */
  readonly used: number;
  /** Of these, how many run a statement. */
  readonly busy: number;
  /** How many requests for a connection wait, those of the app too. */
  readonly pending: number;
}

/** Of `pg`'s Pool. */
export interface PgPoolState<Client> {
  readonly options: object;
  readonly waitingCount?: number;
  /** Internals of `pg-pool`: all clients, and which of them wait for a user. */
  readonly _clients?: readonly (Client & { readonly _connecting?: boolean })[];
  readonly _idle?: readonly { readonly client: Client }[];
}

/** Of `mysql2`'s callback pool: internals, as queues. */
export interface Mysql2PoolState<Connection> {
  readonly config?: { readonly connectionLimit?: number };
  readonly _allConnections?: Queue<Connection & { readonly authorized?: boolean }>;
  readonly _freeConnections?: Queue<Connection>;
  readonly _connectionQueue?: { readonly length: number };
}

interface Queue<T> {
  readonly length: number;
  get(position: number): T | undefined;
}

/** Of Tarn's pool, below Knex. */
export interface TarnPoolState {
  readonly max?: number;
  readonly used?: readonly { readonly resource: object }[];
  numPendingAcquires?(): number;
}

type IsBusy<Connection> = (connection: Connection) => boolean;

const counted = <C>(limit: unknown, used: readonly C[], isBusy: IsBusy<C>, pending = 0): PoolCounts => ({
  most: typeof limit === 'number' && limit > 0 ? limit : undefined,
  used: used.length,
  busy: used.filter(isBusy).length,
  pending,
});

/** Undefined if this version of the pool does not tell. */
export function pgCounts<C>(pool: PgPoolState<C>, isBusy: IsBusy<C>): PoolCounts | undefined {
  const { options, _clients: clients, _idle: idle, waitingCount } = pool;
  if (!clients || !idle) return undefined;
  const free = new Set(idle.map(({ client }) => client));
  const used = clients.filter((client) => !client._connecting && !free.has(client));
  return counted<C>((options as { max?: unknown }).max, used, isBusy, waitingCount);
}

/** Undefined if this version of the pool does not tell. */
export function mysql2Counts<C>(pool: Mysql2PoolState<C>, isBusy: IsBusy<C>): PoolCounts | undefined {
  const { config, _allConnections: all, _freeConnections: idle, _connectionQueue: queue } = pool;
  if (!all || !idle) return undefined;
  const free = new Set(itemsOf(idle));
  const used = itemsOf(all).filter((connection) => connection.authorized !== false && !free.has(connection));
  return counted<C>(config?.connectionLimit, used, isBusy, queue?.length);
}

/** Undefined if this version of the pool does not tell. */
export function tarnCounts(pool: TarnPoolState, isBusy: IsBusy<object>): PoolCounts | undefined {
  const { max, used } = pool;
  if (!used) return undefined;
  const resources = used.map(({ resource }) => resource);
  return counted(max, resources, isBusy, pool.numPendingAcquires?.());
}

const itemsOf = <T>(queue: Queue<T>): T[] =>
  Array.from({ length: queue.length }, (_, position) => queue.get(position)).filter((item) => item !== undefined);
