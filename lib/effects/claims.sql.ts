import { randomUUID } from 'node:crypto';
import { compare } from '../core/protocol.js';
import { amongKeys, byFamily, keyList, lockFirst, lockFirstOf, planned, selectBehind } from '../sql/dialects.js';
import type { SqlConnection, SqlExecutor } from '../sql/executor.js';
import type { Notifier } from '../sql/notifier.js';
import { id, int, join, raw, sql, type Statement } from '../sql/statement.js';
import { nowOf } from '../sql/tables.js';
import {
  type ClaimedEffect,
  type ClaimEffects,
  dueHandlers,
  type EffectClaim,
  type EffectClaims,
  EFFECTS_TOPIC,
  type HeldClaim,
  type Renewal,
  tellDue,
} from './entries.js';
import { CLAIMED, type EffectScope, forced, MOST_PROMOTED, RELEASED, selectTokens } from './tables.sql.js';

interface ClaimedRow {
  entry_id: string;
  operation: string;
  subject: string;
  handler: string;
  ref: string;
  payload: string | null;
  run_id: string | null;
  trace: string | null;
  attempts: number | string;
  last_error: string | null;
  enqueued_at: number | string;
  exhausted?: boolean | number;
}

interface LockedRow extends Pick<ClaimedRow, 'entry_id' | 'handler' | 'enqueued_at' | 'attempts'> {
  at: number | string;
}

interface TokenRow {
  entry_id: string;
  claim_token: string;
}

type ReleasedRow = Pick<ClaimedRow, 'entry_id' | 'handler'>;

/** One claim queues at most this many batches of 1,000 entries that have come due; the next claim queues the rest. */
const MOST_PROMOTIONS = 2;

/** Claims in SQL: an index in claim order finds due entries, regardless of how many wait for a later time. */
export class SqlEffectClaims implements EffectClaims {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: EffectScope,
    private readonly notifier: Pick<Notifier, 'live' | 'subscribe' | 'local' | 'publish'>,
  ) {}

  get live(): boolean {
    return this.notifier.live;
  }

  async claim(request: ClaimEffects): Promise<ClaimedEffect[]> {
    if (request.handlers.length === 0 || request.limit < 1) return [];
    await this.promote();
    const token = randomUUID();
    const rows = await byFamily(this.scope.dialect, {
      postgres: () => this.claimOnce(request, token),
      mysql: () => this.claimLocked(request, token),
    });
    return rows.sort(byAge).map((row) => claimedOf(row, token));
  }

  async extend(claims: readonly Renewal[]): Promise<HeldClaim[]> {
    if (claims.length === 0) return [];
    const sorted = [...claims].sort(byEntry);
    const renewed = await byFamily(this.scope.dialect, {
      postgres: async () => (await this.db.run<TokenRow>(extendClaims(this.scope, sorted))).rows,
      mysql: () => this.db.transaction((tx) => this.renew(tx, sorted)),
    });
    if (renewed.length === claims.length) return heldOf(claims, renewed, renewed);
    // Rows that a settlement has locked were not renewed, but their claims still hold.
    const ids = sorted.map(({ entryId }) => entryId);
    return heldOf(claims, (await this.db.run<TokenRow>(selectTokens(this.scope, ids))).rows, renewed);
  }

  async release(claims: readonly EffectClaim[], uncalled = false): Promise<void> {
    if (claims.length === 0) return;
    const sorted = [...claims].sort(byEntry);
    const released = await byFamily(this.scope.dialect, {
      postgres: async () => (await this.db.run<ReleasedRow>(releaseClaims(this.scope, sorted))).rows,
      mysql: () => this.db.transaction((tx) => this.releaseHeld(tx, sorted)),
    });
    tellDue(this.notifier, released);
    const ours = new Set(idsOf(released));
    const lost = sorted.map(({ entryId }) => entryId).filter((id) => !ours.has(id));
    if (uncalled && lost.length > 0) await this.db.run(uncountClaims(this.scope, lost));
  }

  onDue(listener: (handlers?: readonly string[]) => void): () => void {
    return this.notifier.subscribe(EFFECTS_TOPIC, (payload) => listener(dueHandlers(payload)));
  }

  private async promote(): Promise<void> {
    for (let rounds = 0; rounds < MOST_PROMOTIONS; rounds++) if ((await this.promoteSome()) < MOST_PROMOTED) return;
  }

  private promoteSome(): Promise<number> {
    return byFamily(this.scope.dialect, {
      postgres: async () => (await this.db.run(promote(this.scope))).affected,
      mysql: () => this.promoteInSteps(),
    });
  }

  private async promoteInSteps(): Promise<number> {
    const { rows } = await this.db.run<{ entry_id: string }>(selectWaited(this.scope));
    if (rows.length > 0) await this.db.transaction((tx) => this.promoteWaited(tx, idsOf(rows)));
    return rows.length;
  }

  private async promoteWaited(tx: SqlConnection, entryIds: readonly string[]): Promise<void> {
    const { rows } = await tx.run<{ entry_id: string }>(lockWaited(this.scope, entryIds));
    if (rows.length > 0) await tx.run(promoteWaited(this.scope, idsOf(rows)));
  }

  private async claimOnce(request: ClaimEffects, token: string): Promise<ClaimedRow[]> {
    return (await this.db.run<ClaimedRow>(claimEffects(this.scope, request, token))).rows;
  }

  private async claimLocked(request: ClaimEffects, token: string): Promise<ClaimedRow[]> {
    if ((await this.db.run(selectClaimable(this.scope, request))).rows.length === 0) return [];
    return this.db.transaction(async (tx) => {
      const of = (handlers: ClaimEffects['handlers']) => ({ ...request, handlers });
      const rows = await lockFirstOf(request.handlers, {
        lock: async (some, window) => (await tx.run<LockedRow>(lockClaimable(this.scope, of(some), window))).rows,
        behind: async (some, window) =>
          (await tx.run<Pick<LockedRow, 'handler'>>(selectHandlersBehind(this.scope, of(some), window))).rows,
        isOf: ({ handler }, { name }) => handler === name,
      });
      const oldest = rows.sort(byAge).slice(0, request.limit);
      if (oldest.length === 0) return [];
      const at = Number(oldest[0]?.at);
      await tx.run(stampClaimed(this.scope, request, idsOf(oldest), { token, at }));
      const exhausted = exhaustedOf(oldest, request);
      const claimed = await tx.run<ClaimedRow>(selectClaimed(this.scope, idsOf(oldest)));
      return claimed.rows.map((row) => ({ ...row, exhausted: exhausted.has(row.entry_id) }));
    });
  }

  private async renew(tx: SqlConnection, claims: readonly Renewal[]): Promise<TokenRow[]> {
    const ids = claims.map(({ entryId }) => entryId);
    const { rows } = await tx.run<TokenRow>(lockTokens(this.scope, ids, true));
    const held = claims.filter((claim) => rows.some((row) => holds(claim, row)));
    if (held.length > 0) await tx.run(renewClaims(this.scope, held));
    return held.map(({ entryId, token }) => ({ entry_id: entryId, claim_token: token }));
  }

  private async releaseHeld(tx: SqlConnection, claims: readonly EffectClaim[]): Promise<ReleasedRow[]> {
    const ids = claims.map(({ entryId }) => entryId);
    const { rows } = await tx.run<TokenRow & ReleasedRow>(lockTokens(this.scope, ids, false));
    const held = rows.filter((row) => claims.some((claim) => holds(claim, row)));
    if (held.length > 0) await tx.run(releaseEntries(this.scope, idsOf(held)));
    return held;
  }
}

const idsOf = (rows: readonly { entry_id: string }[]): string[] => rows.map(({ entry_id: id }) => id);

const byEntry = (a: EffectClaim, b: EffectClaim): number => compare(a.entryId, b.entryId);

const byAge = (a: Pick<ClaimedRow, 'entry_id' | 'enqueued_at'>, b: typeof a): number =>
  Number(a.enqueued_at) - Number(b.enqueued_at) || compare(a.entry_id, b.entry_id);

const holds = ({ entryId, token }: EffectClaim, row: TokenRow): boolean =>
  entryId === row.entry_id && token === row.claim_token;

/** The claims whose tokens are in the rows. */
function heldOf(claims: readonly EffectClaim[], rows: readonly TokenRow[], renewed: readonly TokenRow[]): HeldClaim[] {
  const tokens = new Map(rows.map(({ entry_id: id, claim_token: token }) => [id, token]));
  const anew = new Set(idsOf(renewed));
  return claims
    .filter(({ entryId, token }) => tokens.get(entryId) === token)
    .map(({ entryId, token }) => ({ entryId, token, renewed: anew.has(entryId) }));
}

/** The ids of entries that had used up all attempts before this claim. */
function exhaustedOf(rows: readonly LockedRow[], { handlers }: ClaimEffects): Set<string> {
  const most = new Map(handlers.map(({ name, attempts }) => [name, attempts]));
  return new Set(idsOf(rows.filter(({ handler, attempts }) => Number(attempts) >= (most.get(handler) ?? 0))));
}

const claimedOf = (row: ClaimedRow, token: string): ClaimedEffect => ({
  claim: { entryId: row.entry_id, token },
  operation: row.operation,
  subject: row.subject,
  handler: row.handler,
  ref: row.ref,
  payload: row.payload,
  runId: row.run_id,
  ...(row.trace !== null && { trace: row.trace }),
  attempt: Number(row.attempts),
  exhausted: Boolean(row.exhausted),
  lastError: row.last_error,
});

const clock = (scope: EffectScope): Statement => sql`clock AS MATERIALIZED (SELECT ${nowOf(scope)} AS at)`;
const AT = raw('(SELECT at FROM clock)');

/** PostgreSQL. Queues waiting entries that have come due, ordered by enqueue time like all others. */
export const promote = (scope: EffectScope): Statement => {
  const { tables, dialect } = scope;
  // This makes the planner read in index order, as below. The order of the result is for the planner alone: without it,
  // the limit makes a million rows look as cheap as one, and a plan kept from an empty table would scan a long one.
  const quota = dialect.rows([{ quota: MOST_PROMOTED }], { quota: 'int' });
  return sql`
  WITH due AS MATERIALIZED (
    SELECT o.tid FROM ${quota} AS q CROSS JOIN ${planned} CROSS JOIN LATERAL (SELECT d.* FROM (
      SELECT e.ctid AS tid, e.next_attempt_at FROM ${tables.effects} AS e
      WHERE e.ready = 0 AND e.next_attempt_at <= (SELECT ${nowOf(scope)})
      ORDER BY e.next_attempt_at, e.entry_id LIMIT q.quota FOR UPDATE SKIP LOCKED
    ) AS d LIMIT ${int(MOST_PROMOTED)}) AS o
    ORDER BY o.next_attempt_at
  )
  UPDATE ${tables.effects} SET ready = 1 WHERE ctid = ANY (ARRAY(SELECT tid FROM due))`;
};

/** PostgreSQL. One index lookup per handler, in index order; takes the oldest of the results. */
export function claimEffects(scope: EffectScope, request: ClaimEffects, token: string): Statement {
  const { effects } = scope.tables;
  const { handlers, limit, nodeId } = request;
  const rows = handlers.map(({ name, leaseMs, attempts }) => ({ name, lease: leaseMs, most: attempts, quota: limit }));
  const columns = { name: 'key', lease: 'int', most: 'int', quota: 'int' } as const;
  // The planner cannot know the quota or estimate the CASE: so it reads the index in order and never sorts. The limit
  // beside the quota says how little that costs; otherwise a long queue looks as if it were worth to compile the claim.
  return sql`
  WITH ${clock(scope)}, handlers AS MATERIALIZED (SELECT * FROM ${scope.dialect.rows(rows, columns)} AS g),
  due AS MATERIALIZED (
    SELECT o.tid, o.entry_id, o.attempts >= h.most AS exhausted FROM handlers AS h CROSS JOIN ${planned}
    CROSS JOIN LATERAL (SELECT q.* FROM (
      SELECT e.ctid AS tid, e.entry_id, e.enqueued_at, e.attempts FROM ${effects} AS e
      WHERE e.ready = 1 AND e.handler = h.name
        AND CASE WHEN e.claim_token IS NULL OR e.lease_until <= ${AT} THEN 1 END IS NOT NULL
      ORDER BY e.enqueued_at, e.entry_id LIMIT h.quota FOR UPDATE SKIP LOCKED
    ) AS q LIMIT ${int(limit)}) AS o
    ORDER BY o.enqueued_at, o.entry_id LIMIT ${int(limit)}
  )
  UPDATE ${effects} AS e
  SET status = 'in_flight', claim_token = ${token}, claimed_by = ${nodeId}, last_attempt_at = ${AT},
    lease_until = ${AT} + (SELECT h.lease FROM handlers AS h WHERE h.name = e.handler),
    attempts = e.attempts + CASE WHEN e.entry_id = ANY (ARRAY(SELECT entry_id FROM due WHERE exhausted)) THEN 0 ELSE 1 END
  WHERE e.ctid = ANY (ARRAY(SELECT tid FROM due))
  RETURNING ${CLAIMED}, e.entry_id = ANY (ARRAY(SELECT entry_id FROM due WHERE exhausted)) AS exhausted`;
}

/** PostgreSQL. Renews each claim for its own lease; rows that a settlement has locked are skipped. */
export const extendClaims = (scope: EffectScope, claims: readonly Renewal[]): Statement => {
  const { effects } = scope.tables;
  const rows = claims.map(({ entryId, token, leaseMs }) => ({ entry_id: entryId, token, lease: leaseMs }));
  return sql`
  WITH ${clock(scope)}, held AS MATERIALIZED (
    SELECT o.tid, c.entry_id, c.lease
    FROM ${scope.dialect.rows(rows, { entry_id: 'key', token: 'key', lease: 'int' })} AS c
    CROSS JOIN ${planned} CROSS JOIN LATERAL (
      SELECT e.ctid AS tid FROM ${effects} AS e
      WHERE e.entry_id = c.entry_id AND e.claim_token = c.token FOR UPDATE SKIP LOCKED
    ) AS o
  )
  UPDATE ${effects} AS e
  SET lease_until = ${AT} + CAST((SELECT jsonb_object_agg(h.entry_id, h.lease) FROM held AS h) ->> e.entry_id AS bigint)
  WHERE e.ctid = ANY (ARRAY(SELECT tid FROM held)) RETURNING e.entry_id, e.claim_token`;
};

/** PostgreSQL. Restores the state before the claim: pending if it was never tried, otherwise failed. */
export const releaseClaims = (scope: EffectScope, claims: readonly EffectClaim[]): Statement => {
  const { tables, dialect } = scope;
  const rows = claims.map(({ entryId, token }) => ({ entry_id: entryId, token }));
  return sql`
  WITH held AS MATERIALIZED (
    SELECT o.tid FROM ${dialect.rows(rows, { entry_id: 'key', token: 'key' })} AS c
    CROSS JOIN ${planned} CROSS JOIN LATERAL (
      SELECT e.ctid AS tid FROM ${tables.effects} AS e
      WHERE e.entry_id = c.entry_id AND e.claim_token = c.token FOR UPDATE
    ) AS o
  )
  UPDATE ${tables.effects} SET ${RELEASED} WHERE ctid = ANY (ARRAY(SELECT tid FROM held)) RETURNING entry_id, handler`;
};

/** Takes back the attempts of lost claims, of entries that have not ended. */
export const uncountClaims = ({ tables, dialect }: EffectScope, entryIds: readonly string[]): Statement => sql`
  UPDATE ${tables.effects} ${dialect.forceIndex()} SET attempts = attempts - 1
  WHERE entry_id ${amongKeys(dialect, entryIds)} AND attempts > 0 AND ready IS NOT NULL`;

/*
 * MySQL and MariaDB have no UPDATE … RETURNING, so a claim is a transaction: lock and read, then write by primary key in
 * key order.
 */

/** MySQL. Waiting entries that have come due; read without a lock, since usually there are none. */
export const selectWaited = (scope: EffectScope): Statement => sql`
  SELECT entry_id FROM ${scope.tables.effects} ${forced(scope, 'waiting')}
  WHERE ready = 0 AND next_attempt_at <= ${nowOf(scope)} ORDER BY next_attempt_at, entry_id LIMIT ${int(MOST_PROMOTED)}`;

/** MySQL. Locks those of them that no other transaction has locked. */
export const lockWaited = (scope: EffectScope, entryIds: readonly string[]): Statement => sql`
  SELECT entry_id FROM ${scope.tables.effects} ${scope.dialect.forceIndex()}
  WHERE entry_id IN ${keyList(entryIds)} AND ready = 0 AND next_attempt_at <= ${nowOf(scope)} FOR UPDATE SKIP LOCKED`;

/** MySQL. */
export const promoteWaited = ({ tables, dialect }: EffectScope, entryIds: readonly string[]): Statement =>
  sql`UPDATE ${tables.effects} ${dialect.forceIndex()} SET ready = 1 WHERE entry_id IN ${keyList(entryIds)}`;

/** The claimable entries of each handler, in index order. */
const oldestOfHandlers = (scope: EffectScope, { handlers }: ClaimEffects) =>
  handlers.map(({ name }) => {
    const where = sql`ready = 1 AND handler = ${name} AND (claim_token IS NULL OR lease_until <= ${nowOf(scope)})`;
    const select = (columns: Statement) =>
      sql`SELECT ${columns} FROM ${scope.tables.effects} ${forced(scope, 'ready')} WHERE ${where} ORDER BY enqueued_at, entry_id`;
    return { where, select };
  });

/** MySQL. Whether there is anything to claim: a plain read, so that an idle process locks nothing and opens no transaction. */
export const selectClaimable = (scope: EffectScope, request: ClaimEffects): Statement => {
  const probes = oldestOfHandlers(scope, request).map(({ select }) => sql`(${select(raw('1 AS found'))} LIMIT 1)`);
  return sql`SELECT 1 AS found FROM (${join(probes, ' UNION ALL ')}) AS probes LIMIT 1`;
};

/** MySQL. Locks up to `limit` entries of each handler, skipping those that others have locked. */
export const lockClaimable = (scope: EffectScope, request: ClaimEffects, window: number): Statement => {
  const columns = sql`entry_id, handler, enqueued_at, attempts, ${nowOf(scope)} AS at`;
  const first = { table: scope.tables.effects, key: id('entry_id'), columns, limit: request.limit };
  const probes = oldestOfHandlers(scope, request).map((oldest) => lockFirst({ ...first, ...oldest }, window));
  return join(probes, ' UNION ALL ');
};

/** MySQL. The handlers that have more than such a window. */
export const selectHandlersBehind = (scope: EffectScope, request: ClaimEffects, window: number): Statement => {
  const { limit } = request;
  const probes = oldestOfHandlers(scope, request).map(({ select }) =>
    selectBehind({ select, limit }, raw('handler'), window),
  );
  return join(probes, ' UNION ALL ');
};

/** MySQL. Sets each handler's lease and attempts. `attempts` comes last: the assignments before it read its old value. */
export const stampClaimed = (
  scope: EffectScope,
  { handlers, nodeId }: ClaimEffects,
  entryIds: readonly string[],
  { token, at }: { token: string; at: number },
): Statement => {
  const ofHandler = (value: (handler: ClaimEffects['handlers'][number]) => number) =>
    sql`CASE handler ${join(
      handlers.map((handler) => sql`WHEN ${handler.name} THEN ${int(value(handler))}`),
      ' ',
    )} END`;
  return sql`
  UPDATE ${scope.tables.effects} ${scope.dialect.forceIndex()} SET status = 'in_flight', claim_token = ${token}, claimed_by = ${nodeId},
    last_attempt_at = ${at}, lease_until = ${at} + ${ofHandler(({ leaseMs }) => leaseMs)},
    attempts = attempts + (attempts < ${ofHandler(({ attempts }) => attempts)})
  WHERE entry_id IN ${keyList(entryIds)}`;
};

/** MySQL. */
export const selectClaimed = ({ tables }: EffectScope, entryIds: readonly string[]): Statement =>
  sql`SELECT ${CLAIMED} FROM ${tables.effects} WHERE entry_id IN ${keyList(entryIds)}`;

/** MySQL. Joins from the list, so that rows are looked up one by one and in its order. */
export const renewClaims = (scope: EffectScope, claims: readonly Renewal[]): Statement => {
  const rows = claims.map(({ entryId, token, leaseMs }) => ({ entry_id: entryId, token, lease: leaseMs }));
  return sql`
  UPDATE ${scope.dialect.rows(rows, { entry_id: 'key', token: 'key', lease: 'int' })} AS c
  STRAIGHT_JOIN ${scope.tables.effects} AS e FORCE INDEX (PRIMARY) ON e.entry_id = c.entry_id AND e.claim_token = c.token
  SET e.lease_until = ${nowOf(scope)} + c.lease`;
};

/** MySQL. The holders of these rows, locked in the order of ids. `skip`: omits rows that a settlement has locked. */
export const lockTokens = (scope: EffectScope, entryIds: readonly string[], skip: boolean): Statement =>
  sql`${selectTokens(scope, entryIds)} ORDER BY entry_id FOR UPDATE ${raw(skip ? 'SKIP LOCKED' : '')}`;

/** MySQL. */
export const releaseEntries = ({ tables, dialect }: EffectScope, entryIds: readonly string[]): Statement =>
  sql`UPDATE ${tables.effects} ${dialect.forceIndex()} SET ${RELEASED} WHERE entry_id IN ${keyList(entryIds)}`;
