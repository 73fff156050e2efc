import { quotedBytes } from '../../protocol/quoted-bytes.js';
import type { Transaction } from '../../protocol/transaction.js';
import type { Notifier } from '../../sql/notifier.js';
import type { SqlConnection, SqlExecutor } from '../../sql/sql-executor.js';
import { howManyFit } from '../../time/batcher.js';
import type { NewEffect } from '../effect-call.js';
import type { EffectStore } from '../effect-store.js';
import { announceDue } from './announce-due.js';
import type { EffectScope } from './effect-scope.sql.js';
import { insertEffects } from './enqueue.sql.js';

/** What one statement carries at most: it fits into a packet of 1 MiB, the least that is in use. */
const MOST_ROWS = 1_000;
const MOST_BYTES = 450_000;

/** Calls in the app's own database. */
export class SqlEffectStore implements EffectStore {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: EffectScope,
    private readonly notifier: Pick<Notifier, 'local' | 'publish'>,
  ) {}

  async enqueue(effects: readonly NewEffect[], transaction?: unknown): Promise<void> {
    if (effects.length === 0) return;
    const joined = transaction === undefined ? this.db.ambient?.() : this.db.join(transaction);
    if (joined) {
      joined.afterCommit(() => this.announce(effects));
      return this.insert(joined.connection, chunksOf(effects));
    }
    await this.alone(chunksOf(effects));
    this.announce(effects);
  }

  writeIn(tx: Transaction, effects: readonly NewEffect[]): Promise<void> {
    return this.insert(tx as SqlConnection, chunksOf(effects));
  }

  announce(effects: readonly NewEffect[]): void {
    announceDue(this.notifier, [...new Set(effects.map(({ handler }) => handler))]);
  }

  private async alone(chunks: readonly NewEffect[][]): Promise<void> {
    // One statement is a transaction too.
    if (chunks.length === 1) return this.insert(this.db, chunks);
    await this.db.transaction((tx) => this.insert(tx, chunks));
  }

  private async insert(connection: SqlConnection, chunks: readonly NewEffect[][]): Promise<void> {
    for (const chunk of chunks) await connection.run(insertEffects(this.scope, chunk));
  }
}

function chunksOf(effects: readonly NewEffect[]): NewEffect[][] {
  const left = [...effects];
  const chunks: NewEffect[][] = [];
  while (left.length > 0) chunks.push(left.splice(0, howManyFit(left, MOST_ROWS, sizeOf, MOST_BYTES)));
  return chunks;
}

/** Names of columns, and what is short. */
const ROW_BYTES = 150;

const sizeOf = ({ entryId, operation, subject, handler, ref, payload }: NewEffect): number =>
  [entryId, operation, subject, handler, ref, payload].reduce((sum, text) => sum + quotedBytes(text), ROW_BYTES);
