import { byFamily, overwriting } from '../sql/dialects.js';
import { inTransaction, type JoinedTransaction, type SqlConnection, type SqlExecutor } from '../sql/executor.js';
import { type Notifier, tellWithCommit } from '../sql/notifier.js';
import { id, int, join, raw, sql, type Statement } from '../sql/statement.js';
import { nowOf, onceNow, type Scope, type SqlNow, type Tables, TablesAdapter } from '../sql/tables.js';
import {
  type Broadcast,
  broadcastOf,
  type Broadcasts,
  broadcastText,
  COUNTER,
  END_OF_COUNTERS,
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

const KEY_IDS = KEY.map((name) => id(name));

const endOf = ({ dialect }: Scope, { ttlMs }: NewEntry, now: Statement): Statement =>
  sql`${now} + ${dialect.cast(ttlMs, 'bigint')}`;

const inserted = (scope: Scope, entry: NewEntry): Statement => sql`
  INSERT INTO ${scope.tables.store} ${byFamily(scope.dialect, { postgres: () => raw('AS s'), mysql: () => raw('') })}
    (namespace, name, value, expires_at)
  VALUES (${entry.namespace}, ${entry.key}, ${entry.value}, ${endOf(scope, entry, nowOf(scope))})`;

export const upsertEntry = (scope: Scope, entry: NewEntry): Statement =>
  sql`${inserted(scope, entry)} ${overwriting(scope.dialect, KEY, ['value', 'expires_at'])}`;

/** What becomes of an entry that is there; `over`: whether its time has passed. */
interface Change {
  /** Whether it is changed. */
  readonly where: (scope: Scope, entry: NewEntry, over: Statement) => Statement;
  readonly value: (scope: Scope, entry: NewEntry, over: Statement) => Statement;
  readonly keepsTime: (entry: NewEntry) => boolean;
}

const claiming: Change = {
  where: (_scope, _entry, over) => over,
  value: ({ dialect }, { value }) => dialect.cast(value, 'text'),
  keepsTime: () => false,
};

const adding: Change = {
  // Not OR and AND: a server may look at the conditions in any order, and a text that is no number cannot be added to.
  where: (scope, entry, over) =>
    sql`CASE WHEN ${over} THEN 1 = 1 WHEN ${isCounter(scope)} THEN abs(${sumOf(scope, entry)}) < ${scope.dialect.cast(END_OF_COUNTERS, 'bigint')} ELSE 1 = 0 END`,
  value: (scope, entry, over) =>
    sql`CASE WHEN ${over} THEN ${scope.dialect.cast(entry.value, 'text')} ELSE ${scope.dialect.cast(sumOf(scope, entry), 'text')} END`,
  keepsTime: ({ ttlMs }) => ttlMs === null,
};

const sumOf = ({ dialect }: Scope, { value }: NewEntry): Statement =>
  sql`${dialect.cast(raw('s.value'), 'bigint')} + ${dialect.cast(value, 'bigint')}`;

/** MySQL family: its `$` also matches before a line break at the end. */
const isCounter = ({ dialect }: Scope): Statement =>
  byFamily(dialect, {
    postgres: () => sql`s.value ~ ${COUNTER.source}`,
    mysql: () => sql`s.value REGEXP ${COUNTER.source.replace('$', '\\z')}`,
  });

/**
 * PostgreSQL: in one statement. It looks at the clock once it has the lock of the row, for which it may have waited; and
 * once for all that it changes.
 */
export const putEntry = (scope: Scope, entry: NewEntry, change: Change): Statement => {
  const { value, expires_at: end } = changed(scope, entry, change, raw('n.now'));
  return sql`${inserted(scope, entry)} ON CONFLICT (${join(KEY_IDS)}) DO UPDATE
  SET (value, expires_at) = (SELECT ${value}, ${end} FROM (SELECT ${nowOf(scope)} AS now) AS n)
  WHERE ${change.where(scope, entry, isOver(nowOf(scope)))} RETURNING s.value`;
};

export const keepEntry = (scope: Scope, entry: NewEntry): Statement =>
  scope.dialect.insertOrKeep(inserted(scope, entry), KEY_IDS);

/** MySQL and MariaDB, whose clock stands still during a statement. */
export const changeEntry = (scope: Scope, entry: NewEntry, change: Change): Statement => {
  const now = nowOf(scope);
  return sql`UPDATE ${scope.tables.store} AS s SET ${scope.dialect.assign('s', changed(scope, entry, change, now))}
  WHERE ${whereKey(entry)} AND ${change.where(scope, entry, isOver(now))}`;
};

const isOver = (now: Statement): Statement => sql`coalesce(s.expires_at <= ${now}, 1 = 0)`;

/** In this order: MySQL reads what it has assigned before. */
const changed = (scope: Scope, entry: NewEntry, change: Change, now: Statement) => ({
  value: change.value(scope, entry, isOver(now)),
  expires_at: change.keepsTime(entry)
    ? sql`CASE WHEN ${isOver(now)} THEN ${endOf(scope, entry, now)} ELSE s.expires_at END`
    : endOf(scope, entry, now),
});

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
