import type { OutboxWriter } from '../events/outbox-writer.js';
import type { WrittenEvent } from '../model/outbox-event.js';
import { eventOfRun, type HookWishes, hooksFor, wishesIn } from '../model/run-wishes.js';
import type { DestinationRoster } from '../relay/shard-leases.js';
import type { Transaction } from '../../protocol/transaction.js';
import { type Clock, stopwatch } from '../../time/clock.js';

/** Longer than the time between two heartbeats, so that only processes without an engine look by themselves. */
const OLD_MS = 5_000;

/** What an engine or a client tells of a run. */
interface RunNews {
  runId: string;
  workflow: string;
  /** Default: that of this process. */
  namespace?: string;
  status: string;
  /** Why it is blocked. */
  reason?: string;
}

interface Ports {
  writer: Pick<OutboxWriter, 'writeWith'>;
  relay: { destinations: Pick<DestinationRoster, 'wants'> };
}

/** The `RunHooks` of the engine: writes what the hooks that the processes of the outbox have declared want to hear. */
export class HooksOfRuns {
  private wishes: readonly HookWishes[] = [];
  private lookedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly outbox: Ports,
    private readonly namespace: string,
    private readonly clock: Clock = stopwatch,
  ) {}

  async look(tx?: Transaction): Promise<void> {
    this.wishes = wishesIn(await this.outbox.relay.destinations.wants(tx));
    this.lookedAt = this.clock.now();
  }

  eventOf({ runId, workflow, namespace = this.namespace, status, reason }: RunNews): WrittenEvent | undefined {
    if (this.wishes.length === 0) return undefined;
    const fact = { on: reason ? 'blocked' : 'ended', runId, workflow, namespace, state: reason ?? status } as const;
    const hooks = hooksFor(fact, this.wishes);
    return hooks.length === 0 ? undefined : eventOfRun({ ...fact, hooks });
  }

  async tell(news: RunNews, tx: Transaction): Promise<void> {
    if (this.clock.now() - this.lookedAt > OLD_MS) await this.look(tx);
    const event = this.eventOf(news);
    if (event) await this.outbox.writer.writeWith(tx, [event]);
  }
}
