import { answerWithin, STATEMENT_MS } from './answer-within.js';
import { OpenTransaction } from './open-transaction.js';

/** In the bits of `wsrep_sync_wait`: before reads, and before a transaction begins. */
const BEFORE_READS = 1;

const SHOW = `SHOW VARIABLES WHERE Variable_name IN ('wsrep_on', 'wsrep_sync_wait')`;
const set = (syncWait: number): string => `SET SESSION wsrep_sync_wait = ${syncWait}`;

/**
 * MySQL family: a transaction that sees all that any server of a cluster has committed before it. A node of Galera may be
 * behind the one that answered a COMMIT, or did not live to. It waits where the transaction begins, and nowhere inside of
 * one, so the session has to say so before.
 */
export class TransactionInStep extends OpenTransaction {
  /** What the app's session is set to; undefined outside of such clusters. */
  private syncWait: number | undefined;

  override async begin(): Promise<void> {
    const syncWait = await this.ownSyncWait();
    if (syncWait !== undefined) {
      this.syncWait = syncWait;
      await this.command(set(syncWait | BEFORE_READS));
    }
    await super.begin();
  }

  override async commit(): Promise<void> {
    await super.commit();
    await this.putBack();
  }

  override async rollback(): Promise<void> {
    await super.rollback();
    await this.putBack();
  }

  private async ownSyncWait(): Promise<number | undefined> {
    const { rows } = await this.guard(answerWithin(STATEMENT_MS, this.connection.execute({ text: SHOW, params: [] })));
    const variables = new Map(rows.map((row) => [row['Variable_name'], row['Value']]));
    return variables.get('wsrep_on') === 'ON' ? Number(variables.get('wsrep_sync_wait')) : undefined;
  }

  private async putBack(): Promise<void> {
    const { syncWait } = this;
    this.syncWait = undefined;
    if (syncWait === undefined || this.broken) return;
    await answerWithin(STATEMENT_MS, this.connection.command(set(syncWait))).catch(() => (this.broken = true));
  }
}
