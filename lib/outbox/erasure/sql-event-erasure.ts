import {
  type EraseDeadLetters,
  type ErasedEvents,
  type EraseEvents,
  type EventErasure,
  PENDING,
} from './event-erasure.js';
import * as statements from './event-erasure.sql.js';
import type { OutboxTables } from '../tables/sql-outbox-tables.js';
import type { SqlExecutor } from '../../sql/sql-executor.js';

export class SqlEventErasure implements EventErasure {
  private readonly scope: statements.ErasureScope;

  constructor(
    private readonly db: SqlExecutor,
    tables: OutboxTables,
  ) {
    this.scope = { tables, dialect: db.dialect };
  }

  async erase(request: EraseEvents): Promise<ErasedEvents> {
    const { rows } = await this.db.run<statements.EventRow>(statements.selectEvents(this.scope, request));
    const ours = rows.filter(wantedBy(request));
    const done = ours.filter((row) => Number(row.done) === 1).map(numberOf);
    const erased = done.length === 0 ? 0 : (await this.db.run(statements.blankEvents(this.scope, done))).affected;
    const kept = ours.filter((row) => Number(row.done) === 0);
    return { erased, kept: keptOf(request, kept), next: nextOf(request, rows) };
  }

  async eraseDead(request: EraseDeadLetters): Promise<ErasedEvents> {
    const { rows } = await this.db.run<statements.DeadRow>(statements.selectDeadOf(this.scope, request));
    const ours = rows.filter(wantedBy(request));
    const isGoing = ({ reason }: statements.DeadRow) => request.discards && reason !== PENDING;
    const going = ours.filter(isGoing).map(numberOf);
    const erased =
      going.length === 0
        ? 0
        : (await this.db.run(statements.discardDead(this.scope, request.destination, going))).affected;
    return {
      erased,
      kept: keptOf(
        request,
        ours.filter((row) => !isGoing(row)),
      ),
      next: nextOf(request, rows),
    };
  }

  async forgetErrors(destinations: readonly string[], channels: readonly string[]): Promise<void> {
    if (destinations.length === 0 || channels.length === 0) return;
    await this.db.run(statements.forgetErrors(this.scope, destinations, channels));
  }
}

interface Row {
  sequence_id: string;
  mutation_id: string;
}

const numberOf = ({ sequence_id }: Row): string => String(sequence_id);

const nextOf = ({ limit }: EraseEvents, rows: readonly Row[]): string | undefined =>
  rows.length < limit ? undefined : numberOf(rows.at(-1)!);

function wantedBy({ mutationIds }: EraseEvents): (row: Row) => boolean {
  const wanted = mutationIds && new Set(mutationIds);
  return ({ mutation_id }) => !wanted || wanted.has(mutation_id);
}

const keptOf = ({ channel }: EraseEvents, rows: readonly Row[]): ErasedEvents['kept'] =>
  rows.map((row) => ({ channel, mutationId: row.mutation_id, sequenceId: numberOf(row) }));
