import { inParts } from '../../sql/in-parts.js';
import type { SqlConnection } from '../../sql/sql-executor.js';
import { type Acknowledged, type DeadLettered, followsRequeued } from './event-source.js';
import * as dead from './dead-letter.sql.js';
import type { RelayScope } from './relay-scope.sql.js';
import { lockStates } from './sql-event-source.js';
import { isEnded, type SqlEndings } from './sql-endings.js';

/** Writes dead letters in a transaction that holds the leases of their shards. */
export class SqlDeadLettering {
  constructor(
    private readonly scope: RelayScope,
    private readonly endings: SqlEndings,
  ) {}

  /** All of one destination. Returns those that are no longer in the outbox. */
  async deadLetter(owner: string, items: readonly DeadLettered[], tx: SqlConnection): Promise<DeadLettered[]> {
    const destination = items[0]?.lease.destination ?? '';
    const states = await lockStates(tx, this.scope, destination, channelsOf(items.filter(mindsState)));
    const gone = await this.end(owner, items, tx);
    if (gone.length === 0) return gone;
    const follows = (item: DeadLettered) => followsRequeued(item, states.get(item.channel));
    const asDead = gone.map((item) => (follows(item) ? { ...item, reason: 'requeued' as const } : item));
    await inParts(tx, asDead, (some) => dead.insertDead(this.scope, destination, some));
    const parking = channelsOf(gone.filter((item) => item.parksChannel && !follows(item)));
    if (parking.length > 0) await tx.run(dead.setState(this.scope, destination, parking, 'parked'));
    const goingOn = channelsOf(gone.filter(({ requeued, parksChannel }) => requeued && !parksChannel));
    if (goingOn.length > 0) await tx.run(dead.forgetFailures(this.scope, destination, goingOn));
    return gone;
  }

  private async end(owner: string, items: readonly DeadLettered[], tx: SqlConnection): Promise<DeadLettered[]> {
    const pending = items.filter(({ requeued }) => !requeued);
    if (pending.length === 0) return [...items];
    const acks = new Map(pending.map((item) => [item, ackOf(item)]));
    const ended = await this.endings.end(owner, [...acks.values()], tx);
    if (!ended.alone) await this.endings.move(owner, [...acks.values()], tx);
    return items.filter((item) => {
      const ack = acks.get(item);
      return ack === undefined || !ended.alone || isEnded(ack, ended);
    });
  }
}

/** A dead letter whose channel continues does not depend on the channel's state. */
const mindsState = ({ reason, parksChannel, requeued }: DeadLettered): boolean =>
  reason === 'behind' || parksChannel || requeued;

const channelsOf = (items: readonly DeadLettered[]): string[] => [...new Set(items.map(({ channel }) => channel))];

const ackOf = ({ lease, channel, event }: DeadLettered): Acknowledged => ({
  lease,
  channel,
  ids: [event.sequenceId],
  clears: true,
});
