import { byFamily, overwriting } from '../sql/dialects.js';
import { inTransaction, type JoinedTransaction, type SqlConnection, type SqlExecutor } from '../sql/executor.js';
import { type Notifier, tellWithCommit } from '../sql/notifier.js';
import { id, int, raw, sql, type Statement } from '../sql/statement.js';
import { nowOf, onceNow, type Scope, type SqlNow, type Tables, TablesAdapter } from '../sql/tables.js';
import {
  type Broadcast,
  broadcastOf,
  type Broadcasts,
  broadcastText,
  COUNTER,
  type EntryKey,
  type KeyValues,
  type NewEntry,
  type StoreStorage,
} from './store.js';

export const sqlStoreStorage = (db: SqlExecutor, tables: Tables, notifier: Notifier, now?: SqlNow): StoreStorage => ({
  entries: new SqlKeyValues(db, tables, now),
  broadcasts: new SqlBroadcasts(db, notifier),
});

/** The caller's transaction: the given one, or the one around it. */
const joinedIn = (db: SqlExecutor, transaction: unknown): JoinedTransaction | undefined =>
  transaction === undefined ? db.ambient?.() : db.join(transaction);

/** Texts by key in the app's database. */
class SqlKeyValues extends TablesAdapter implements KeyValues {
  async get(entry: EntryKey, transaction?: unknown): Promise<string | undefined> {
    const { rows } = await this.connection(transaction).run<ValueRow>(selectEntry(this.scope, entry));
    return rows[0]?.value;
  }

  async set(entry: NewEntry, transaction?: unknown): Promise<void> {
    await this.connection(transaction).run(upsertEntry(this.scope, entry));
  }

  async delete(entry: EntryKey, transaction?: unknown): Promise<boolean> {
    return (await this.connection(transaction).run(deleteEntry(this.scope, entry))).affected > 0;
  }

  async setIfNotExists(entry: NewEntry, transaction?: unknown): Promise<boolean> {
    return (await this.put(entry, claiming, transaction)) !== undefined;
  }

  async increment(entry: NewEntry, transaction?: unknown): Promise<number | undefined> {
    const sum = await this.put(entry, adding, transaction);
    return sum === undefined ? undefined : Number(sum);
  }

  sweep(limit: number): Promise<number> {
    return this.db.transaction(async (tx) => {
      const { rows } = await tx.run<SweptRow>(lockExpired(this.scope, limit));
      return rows.length === 0 ? 0 : (await tx.run(deleteRows(this.scope, rows, raw('1 = 1')))).affected;
    });
  }

  private connection(transaction: unknown): SqlConnection {
    return joinedIn(this.db, transaction) ?? this.db;
  }

  /** Inserts the entry, or changes the one that is there. Returns what is there then; undefined if it was left as it was. */
  private put(entry: NewEntry, change: Change, transaction: unknown): Promise<string | undefined> {
    const { scope } = this;
    const joined = joinedIn(this.db, transaction);
    return byFamily(scope.dialect, {
      postgres: async () => {
        const { rows } = await (joined ?? this.db).run<ValueRow>(putEntry(scope, entry, change));
        return rows[0]?.value;
      },
      mysql: () =>
        inTransaction(this.db, joined, async (tx) => {
          // It locks the row that it keeps.
          const { affected } = await tx.run(keepEntry(scope, entry));
          if (affected > 0) return entry.value;
          if ((await tx.run(changeEntry(scope, entry, change))).affected === 0) return undefined;
          // Its time may be over by now: it was not when it was changed.
          return (await tx.run<ValueRow>(selectValue(scope, entry))).rows[0]?.value;
        }),
    });
  }
}

const TOPIC = 'messages';

/** Messages by the notifications that also wake processes. */
class SqlBroadcasts implements Broadcasts {
  constructor(
    private readonly db: SqlExecutor,
    private readonly notifier: Notifier,
  ) {}

  async publish(broadcast: Broadcast, transaction?: unknown): Promise<void> {
    const text = broadcastText(broadcast);
    const joined = joinedIn(this.db, transaction);
    if (joined) return tellWithCommit(joined, this.notifier, TOPIC, text);
    const notification = this.notifier.statement(TOPIC, text);
    if (notification) await this.db.run(notification);
    this.notifier.local(TOPIC, text);
  }

  subscribe(listener: (broadcast: Broadcast | undefined) => void): () => void {
    return this.notifier.subscribe(TOPIC, (text) => listener(broadcastOf(text)));
  }
}

interface ValueRow {
  value: string;
}

interface SweptRow {
  namespace: string;
  name: string;
}

const KEY = ['namespace', 'name'];

const whereKey = ({ namespace, key }: EntryKey): Statement => sql`s.namespace = ${namespace} AND s.name = ${key}`;

const lives = (scope: Scope): Statement => sql`(s.expires_at IS NULL OR s.expires_at > ${onceNow(scope)})`;

export const selectValue = ({ tables }: Scope, entry: EntryKey): Statement =>
  sql`SELECT s.value FROM ${tables.store} AS s WHERE ${whereKey(entry)}`;

export const selectEntry = (scope: Scope, entry: EntryKey): Statement =>
  sql`${selectValue(scope, entry)} AND ${lives(scope)}`;

export const deleteEntry = (scope: Scope, entry: EntryKey): Statement => {
  const rows = [{ namespace: entry.namespace, name: entry.key }];
  return deleteRows(scope, rows, lives(scope));
};

const inserted = (scope: Scope, { namespace, key, value, ttlMs }: NewEntry): Statement => sql`
  INSERT INTO ${scope.tables.store} ${byFamily(scope.dialect, { postgres: () => raw('AS s'), mysql: () => raw('') })}
    (namespace, name, value, written_at, expires_at)
  VALUES (${namespace}, ${key}, ${value}, ${nowOf(scope)}, ${nowOf(scope)} + ${scope.dialect.cast(ttlMs, 'bigint')})`;

export const upsertEntry = (scope: Scope, entry: NewEntry): Statement =>
  sql`${inserted(scope, entry)} ${overwriting(scope.dialect, KEY, ['value', 'written_at', 'expires_at'])}`;

/** What becomes of an entry that is there. */
interface Change {
  /** Whether it is changed, and its new value. `over`: its time has passed. */
  readonly where: (over: Statement, scope: Scope) => Statement;
  readonly value: (incoming: Statement, over: Statement, scope: Scope) => Statement;
  readonly keepsTime: (entry: NewEntry) => boolean;
}

const claiming: Change = { where: (over) => over, value: (incoming) => incoming, keepsTime: () => false };

const adding: Change = {
  // Not OR: PostgreSQL may look at the second condition first.
  where: (over, { dialect }) => sql`CASE WHEN ${over} THEN 1 = 1 ELSE ${isCounter(dialect)} END`,
  value: (incoming, over, { dialect }) =>
    sql`CASE WHEN ${over} THEN ${incoming} ELSE ${dialect.cast(sql`${dialect.cast(raw('s.value'), 'bigint')} + ${dialect.cast(incoming, 'bigint')}`, 'text')} END`,
  keepsTime: ({ ttlMs }) => ttlMs === null,
};

/** MySQL family: its `$` also matches before a line break at the end. */
const isCounter = (dialect: Scope['dialect']): Statement =>
  byFamily(dialect, {
    postgres: () => sql`s.value ~ ${COUNTER.source}`,
    mysql: () => sql`s.value REGEXP ${COUNTER.source.replace('$', '\\z')}`,
  });

/** PostgreSQL: in one statement. */
export const putEntry = (scope: Scope, entry: NewEntry, change: Change): Statement => sql`
  ${inserted(scope, entry)} ON CONFLICT (namespace, name) DO UPDATE
  SET ${changed(scope, entry, change, { value: raw('EXCLUDED.value'), now: raw('EXCLUDED.written_at'), end: raw('EXCLUDED.expires_at') })}
  WHERE ${change.where(isOver(raw('EXCLUDED.written_at')), scope)} RETURNING s.value`;

export const keepEntry = (scope: Scope, entry: NewEntry): Statement =>
  scope.dialect.insertOrKeep(
    inserted(scope, entry),
    KEY.map((name) => id(name)),
  );

/** MySQL and MariaDB, whose clock stands still during a statement. */
export const changeEntry = (scope: Scope, entry: NewEntry, change: Change): Statement => {
  const now = nowOf(scope);
  const incoming = { value: sql`${entry.value}`, now, end: sql`${now} + ${scope.dialect.cast(entry.ttlMs, 'bigint')}` };
  return sql`UPDATE ${scope.tables.store} AS s SET ${changed(scope, entry, change, incoming)}
  WHERE ${whereKey(entry)} AND ${change.where(isOver(now), scope)}`;
};

const isOver = (now: Statement): Statement => sql`coalesce(s.expires_at <= ${now}, 1 = 0)`;

function changed(
  scope: Scope,
  entry: NewEntry,
  change: Change,
  { value, now, end }: Record<'value' | 'now' | 'end', Statement>,
): Statement {
  const over = isOver(now);
  // In this order: MySQL reads what it has assigned before.
  return scope.dialect.assign('s', {
    value: change.value(value, over, scope),
    written_at: now,
    expires_at: change.keepsTime(entry) ? sql`CASE WHEN ${over} THEN ${end} ELSE s.expires_at END` : end,
  });
}

/** Skips what others write anew: their transactions may be long. */
export const lockExpired = (scope: Scope, limit: number): Statement => sql`
  SELECT namespace, name FROM ${scope.tables.store}
  WHERE expires_at <= ${onceNow(scope)} ORDER BY expires_at LIMIT ${int(limit)} FOR UPDATE SKIP LOCKED`;

const deleteRows = ({ tables, dialect }: Scope, rows: readonly SweptRow[], where: Statement): Statement =>
  dialect.deleteFrom({
    table: tables.store,
    as: 's',
    from: sql`${dialect.rows(rows, { namespace: 'key', name: 'key' })} AS n`,
    on: sql`s.namespace = n.namespace AND s.name = n.name AND ${where}`,
  });
