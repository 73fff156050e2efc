import { byFamily } from '../../sql/dialects/dialect.js';
import { randomUUID } from 'node:crypto';
import type { Notifier } from '../../sql/notifier.js';
import type { SqlConnection, SqlExecutor } from '../../sql/sql-executor.js';
import type { ClaimedEffect, ClaimEffects, EffectClaim, EffectClaims, HeldClaim } from '../effect-claims.js';
import { dueHandlers, EFFECTS_TOPIC, tellDue } from './due-hints.js';
import * as mysql from './claim.mysql.sql.js';
import * as postgres from './claim.postgres.sql.js';
import { type EffectScope, MOST_PROMOTED, selectTokens } from './effect-scope.sql.js';

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

/** One claim queues at most this many batches of 1,000 entries that have come due; the next claim queues the rest. */
const MOST_PROMOTIONS = 2;

type Renewal = EffectClaim & { readonly leaseMs: number };

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
      postgres: async () => (await this.db.run<TokenRow>(postgres.extendClaims(this.scope, sorted))).rows,
      mysql: () => this.db.transaction((tx) => this.renew(tx, sorted)),
    });
    if (renewed.length === claims.length) return heldOf(claims, renewed, renewed);
    // Rows that a settlement has locked were not renewed, but their claims still hold.
    const ids = sorted.map(({ entryId }) => entryId);
    return heldOf(claims, (await this.db.run<TokenRow>(selectTokens(this.scope, ids))).rows, renewed);
  }

  async release(claims: readonly EffectClaim[]): Promise<void> {
    if (claims.length === 0) return;
    const sorted = [...claims].sort(byEntry);
    const released = await byFamily(this.scope.dialect, {
      postgres: async () => (await this.db.run<{ handler: string }>(postgres.releaseClaims(this.scope, sorted))).rows,
      mysql: () => this.db.transaction((tx) => this.releaseHeld(tx, sorted)),
    });
    tellDue(this.notifier, released);
  }

  onDue(listener: (handlers?: readonly string[]) => void): () => void {
    return this.notifier.subscribe(EFFECTS_TOPIC, (payload) => listener(dueHandlers(payload)));
  }

  private async promote(): Promise<void> {
    for (let rounds = 0; rounds < MOST_PROMOTIONS; rounds++) if ((await this.promoteSome()) < MOST_PROMOTED) return;
  }

  private promoteSome(): Promise<number> {
    return byFamily(this.scope.dialect, {
      postgres: async () => (await this.db.run(postgres.promote(this.scope))).affected,
      mysql: () => this.promoteInSteps(),
    });
  }

  private async promoteInSteps(): Promise<number> {
    const { rows } = await this.db.run<{ entry_id: string }>(mysql.selectWaited(this.scope));
    if (rows.length > 0) await this.db.transaction((tx) => this.promoteWaited(tx, idsOf(rows)));
    return rows.length;
  }

  private async promoteWaited(tx: SqlConnection, entryIds: readonly string[]): Promise<void> {
    const { rows } = await tx.run<{ entry_id: string }>(mysql.lockWaited(this.scope, entryIds));
    if (rows.length > 0) await tx.run(mysql.promoteWaited(this.scope, idsOf(rows)));
  }

  private async claimOnce(request: ClaimEffects, token: string): Promise<ClaimedRow[]> {
    return (await this.db.run<ClaimedRow>(postgres.claimEffects(this.scope, request, token))).rows;
  }

  private async claimLocked(request: ClaimEffects, token: string): Promise<ClaimedRow[]> {
    if ((await this.db.run(mysql.selectClaimable(this.scope, request))).rows.length === 0) return [];
    return this.db.transaction(async (tx) => {
      const { rows } = await tx.run<LockedRow>(mysql.lockClaimable(this.scope, request));
      const oldest = rows.sort(byAge).slice(0, request.limit);
      if (oldest.length === 0) return [];
      const at = Number(oldest[0]?.at);
      await tx.run(mysql.stampClaimed(this.scope, request, idsOf(oldest), { token, at }));
      const exhausted = exhaustedOf(oldest, request);
      const claimed = await tx.run<ClaimedRow>(mysql.selectClaimed(this.scope, idsOf(oldest)));
      return claimed.rows.map((row) => ({ ...row, exhausted: exhausted.has(row.entry_id) }));
    });
  }

  private async renew(tx: SqlConnection, claims: readonly Renewal[]): Promise<TokenRow[]> {
    const ids = claims.map(({ entryId }) => entryId);
    const { rows } = await tx.run<TokenRow>(mysql.lockTokens(this.scope, ids, true));
    const held = claims.filter((claim) => rows.some((row) => holds(claim, row)));
    if (held.length > 0) await tx.run(mysql.renewClaims(this.scope, held));
    return held.map(({ entryId, token }) => ({ entry_id: entryId, claim_token: token }));
  }

  private async releaseHeld(tx: SqlConnection, claims: readonly EffectClaim[]): Promise<{ handler: string }[]> {
    const ids = claims.map(({ entryId }) => entryId);
    const { rows } = await tx.run<TokenRow & { handler: string }>(mysql.lockTokens(this.scope, ids, false));
    const held = rows.filter((row) => claims.some((claim) => holds(claim, row)));
    if (held.length > 0) await tx.run(mysql.releaseEntries(this.scope, idsOf(held)));
    return held;
  }
}

const idsOf = (rows: readonly { entry_id: string }[]): string[] => rows.map(({ entry_id: id }) => id);

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

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
