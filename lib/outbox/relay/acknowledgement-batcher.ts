import { DatabaseError } from '../../errors/database-errors.js';
import { untilBack } from '../../leasing/until-back.js';
import { Batcher, howManyFit } from '../../time/batcher.js';
import type { Acknowledged, Acknowledgements, DeadLettered, ChannelWrite, FailedHead } from './event-source.js';

/** Writes deliveries and failures of a destination in batches. */
export class AcknowledgementBatcher {
  private readonly acks: Batcher<Acknowledged, boolean>;
  private readonly requeued: Batcher<Acknowledged, boolean>;
  private readonly failures: Batcher<FailedHead, boolean>;
  private readonly deadLetters: Batcher<readonly DeadLettered[], boolean>;
  private readonly crashes: Batcher<ChannelWrite, number | undefined>;

  constructor(owner: string, ports: Acknowledgements) {
    this.acks = new Batcher((items) => ports.acknowledge(owner, items), { ...MANY, isolates });
    this.requeued = new Batcher((items) => ports.acknowledgeRequeued(owner, items), { isolates });
    this.failures = new Batcher((items) => ports.fail(owner, items), { isolates });
    this.deadLetters = new Batcher((parts) => deadLetterAll(ports, owner, parts), { sizeOf: sizeOfPart, isolates });
    this.crashes = new Batcher((items) => ports.countCrash(owner, items), { isolates });
  }

  acknowledge(item: Acknowledged, requeued: boolean): Promise<boolean> {
    return (requeued ? this.requeued : this.acks).add(item);
  }

  fail(item: FailedHead): Promise<boolean> {
    return this.failures.add(item);
  }

  /** Writes in one commit. Returns whether all of them were written. */
  deadLetter(part: readonly DeadLettered[]): Promise<boolean> {
    return this.deadLetters.add(part);
  }

  countCrash(item: ChannelWrite): Promise<number | undefined> {
    return this.crashes.add(item);
  }
}

/** The number of items that one statement handles fast, regardless of their number of events. */
const MANY = { maxItems: 1_000, sizeOf: ({ ids }: Acknowledged): number => ids.length * 400 };

/** A channel whose data the database rejects must not block the others. */
const isolates = (error: unknown): boolean => error instanceof DatabaseError && !error.transient;

/** Limits a batch to some hundred items, however short they are. */
const LEAST_SIZE = 4_000;

const sizeOfDeadLettered = ({ event }: DeadLettered): number =>
  LEAST_SIZE + JSON.stringify(event.data ?? null).length + JSON.stringify(event.headers ?? null).length;

const sizeOfPart = (part: readonly DeadLettered[]): number =>
  part.reduce((sum, item) => sum + sizeOfDeadLettered(item), 0);

/** How many of the first items one commit writes. */
export const howManyAtOnce = (items: readonly DeadLettered[]): number =>
  howManyFit(items, items.length, sizeOfDeadLettered);

async function deadLetterAll(
  ports: Acknowledgements,
  owner: string,
  parts: readonly (readonly DeadLettered[])[],
): Promise<boolean[]> {
  const written = await ports.deadLetter(owner, parts.flat());
  let at = 0;
  return parts.map((part) => written.slice(at, (at += part.length)).every(Boolean));
}

const EVERY_200_MS = { delay: 200, factor: 1 } as const;

/**
 * Retries a write that failed with `first` until it succeeds, because delivered events would otherwise be delivered
 * again. Returns false once `mayGoOn` returns false, or when the write found that the lease was lost.
 */
export function writeAgain(
  first: unknown,
  write: () => Promise<boolean>,
  { mayGoOn, onError }: { mayGoOn: () => boolean; onError: (error: unknown) => void },
): Promise<boolean> {
  const again = async (failures: number) => {
    if (failures === 0) throw first;
    return mayGoOn() ? write() : false;
  };
  return untilBack(again, { passes: () => true, onFailure: onError, retry: EVERY_200_MS });
}
