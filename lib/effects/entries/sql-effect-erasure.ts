import { type AwaitedGroups, removable } from '../awaited-groups.js';
import type { EffectErasure, EraseEffects, ErasedEffects, KeptEffect } from '../effect-erasure.js';
import * as statements from './effect-erasure.sql.js';
import type { EffectScope } from './effect-scope.sql.js';
import type { SqlExecutor } from '../../sql/sql-executor.js';

/** Finds calls without locking them, so that it waits for no call that is being settled. */
export class SqlEffectErasure implements EffectErasure {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: EffectScope,
    private readonly awaited: AwaitedGroups,
  ) {}

  async erase(request: EraseEffects): Promise<ErasedEffects> {
    const { rows } = await this.db.run<statements.ErasableRow>(statements.selectErasable(this.scope, request));
    if (rows.length === 0) return { effects: 0, auditEvents: 0 };
    const next = rows.length < request.limit ? {} : { next: rows.at(-1)!.entry_id };
    return this.db.transaction(async (tx) => {
      const succeeded = rows.filter(({ open }) => Number(open) === 0);
      const abandoned = rows.filter(({ open }) => Number(open) === 1);
      const going = [...succeeded, ...(await removable(abandoned, this.awaited, tx))];
      if (going.length === 0) return { effects: 0, auditEvents: 0, ...next };
      const ids = going.map(({ entry_id: id }) => id);
      const effects = (await tx.run(statements.eraseEntries(this.scope, ids, request.discards))).affected;
      const auditEvents = (await tx.run(statements.eraseAudit(this.scope, going))).affected;
      return { effects, auditEvents, ...next };
    });
  }

  kept(request: EraseEffects): Promise<KeptEffect[]> {
    return this.db.transaction(async (tx) => {
      const { rows } = await tx.run<statements.KeptRow>(statements.selectKept(this.scope, request));
      const abandoned = request.discards ? rows.filter(({ ready }) => ready === null) : [];
      const gone = new Set(await removable(abandoned, this.awaited, tx));
      const kept = rows.filter((row) => !gone.has(row));
      return kept.map(({ entry_id: entryId, handler, run_id: runId, ready }) => ({
        entryId,
        handler,
        runId,
        isAbandoned: ready === null,
      }));
    });
  }
}
