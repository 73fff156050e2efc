import type { Transaction } from '../core/transaction.js';
import { connectionOf, sqlTransaction } from '../sql/executor.js';
import { NotifyingAdapter, tellWithCommit } from '../sql/notifier.js';
import { id, raw, sql, type SqlPart, type Statement } from '../sql/statement.js';
import { nowOf, type Scope } from '../sql/tables.js';
import {
  type HeldThing,
  type Hold,
  type HoldKind,
  type HoldStore,
  inOrder,
  isInNamespace,
  type NewHold,
} from './holds.js';

const TOPIC = 'holds';

/** Holds in the app's database. */
export class SqlHoldStore extends NotifyingAdapter implements HoldStore {
  async put(namespace: string, hold: NewHold, tx: Transaction): Promise<Hold | undefined> {
    const connection = sqlTransaction(tx);
    await connection.run(deleteEndedHold(this.scope, namespace, hold));
    // First, because it waits for another transaction that inserts the same hold; a row that is not there locks nothing.
    const { affected } = await connection.run(insertHold(this.scope, namespace, hold));
    const before = affected > 0 ? undefined : await this.change(namespace, hold, tx);
    await tellWithCommit(connection, this.notifier, TOPIC, '{}');
    return before;
  }

  private async change(namespace: string, hold: NewHold, tx: Transaction): Promise<Hold | undefined> {
    const before = await this.lock(namespace, hold, tx);
    await sqlTransaction(tx).run(upsertHold(this.scope, namespace, hold));
    return before;
  }

  async lift(namespace: string, thing: HeldThing, tx: Transaction): Promise<Hold | undefined> {
    const before = await this.lock(namespace, thing, tx);
    const connection = sqlTransaction(tx);
    const { affected } = await connection.run(deleteHold(this.scope, namespace, thing));
    if (affected > 0) await tellWithCommit(connection, this.notifier, TOPIC, '{}');
    return before;
  }

  async list(namespace: string, tx?: Transaction): Promise<Hold[]> {
    const { rows } = await connectionOf(this.db, tx).run<HoldRow>(selectHolds(this.scope, namespace, tx !== undefined));
    return rows.map(holdOf).sort(inOrder);
  }

  onChanged(listener: () => void): () => void {
    return this.notifier.subscribe(TOPIC, () => listener());
  }

  private async lock(namespace: string, thing: HeldThing, tx: Transaction): Promise<Hold | undefined> {
    const { rows } = await sqlTransaction(tx).run<HoldRow>(lockHold(this.scope, namespace, thing));
    return rows[0] && holdOf(rows[0]);
  }
}

export interface HoldRow {
  kind: HoldKind;
  name: string;
  since: number | string;
  actor: string;
  reason: string;
  until_at: number | string | null;
}

const COLUMNS = raw('kind, name, since, actor, reason, until_at');

/** Things without a namespace; no app has this one. */
const SHARED = '*';

const keyOf = (namespace: string, { kind, name }: HeldThing): Statement =>
  sql`namespace = ${namespaceOf(namespace, kind)} AND kind = ${kind} AND name = ${name}`;

const namespaceOf = (namespace: string, kind: HoldKind): string => (isInNamespace(kind) ? namespace : SHARED);

const inForce = (scope: Scope): Statement => sql`(until_at IS NULL OR until_at > ${nowOf(scope)})`;

/** `newest`: also in a transaction whose snapshot is older. */
export const selectHolds = (scope: Scope, namespace: string, newest: boolean): Statement => sql`
  SELECT ${COLUMNS} FROM ${scope.tables.holds} ${scope.dialect.forceIndex()} WHERE namespace IN (${namespace}, ${SHARED}) AND ${inForce(scope)}
  ${newest ? scope.dialect.newest : raw('')}`;

/**
 * For the claims of this thing: a process that has not heard of a hold yet must not begin what another one has just left.
 * A count, since PostgreSQL and MySQL would join with an EXISTS, and could lose the order of the claim's index.
 */
export const isNotHeld = (scope: Scope, namespace: string, kind: HoldKind, name: SqlPart): Statement => sql`
  (SELECT count(*) FROM ${scope.tables.holds} AS h
    WHERE h.namespace = ${namespaceOf(namespace, kind)} AND h.kind = '${raw(kind)}' AND h.name = ${name}
      AND ${inForce(scope)}) = 0`;

export const lockHold = (scope: Scope, namespace: string, thing: HeldThing): Statement => sql`
  SELECT ${COLUMNS} FROM ${scope.tables.holds} WHERE ${keyOf(namespace, thing)} AND ${inForce(scope)} FOR UPDATE`;

const KEY = [id('namespace'), id('kind'), id('name')];

const inserted = (scope: Scope, namespace: string, { kind, name, actor, reason, until }: NewHold): Statement => sql`
  INSERT INTO ${scope.tables.holds} (namespace, ${COLUMNS})
  VALUES (${namespaceOf(namespace, kind)}, ${kind}, ${name}, ${nowOf(scope)}, ${actor}, ${reason}, ${until?.getTime() ?? null})`;

/** Nothing if it is held. */
export const insertHold = (scope: Scope, namespace: string, hold: NewHold): Statement =>
  scope.dialect.insertOrKeep(inserted(scope, namespace, hold), KEY);

/** Keeps `since` of a hold in force. */
export const upsertHold = (scope: Scope, namespace: string, hold: NewHold): Statement => sql`
  ${inserted(scope, namespace, hold)}
  ${scope.dialect.onConflictUpdate(
    KEY,
    (incoming) => sql`actor = ${incoming('actor')}, reason = ${incoming('reason')}, until_at = ${incoming('until_at')}`,
  )}`;

export const deleteHold = ({ tables }: Scope, namespace: string, thing: HeldThing): Statement =>
  sql`DELETE FROM ${tables.holds} WHERE ${keyOf(namespace, thing)}`;

/** Otherwise the next hold of the same thing would seem to have begun with the old one. */
export const deleteEndedHold = (scope: Scope, namespace: string, thing: HeldThing): Statement =>
  sql`${deleteHold(scope, namespace, thing)} AND NOT ${inForce(scope)}`;

export const holdOf = ({ kind, name, since, actor, reason, until_at: until }: HoldRow): Hold => ({
  kind,
  name,
  since: new Date(Number(since)),
  actor,
  reason,
  until: until === null ? undefined : new Date(Number(until)),
});
