import { type Loops, PollLoop } from '../time/poll-loop.js';
import type { HoldKind } from './hold.js';
import type { HoldStore } from './hold-store.js';

/** What must not be begun now. */
export interface Held {
  isHeld(kind: HoldKind, name: string): boolean;
  /** Calls `listener` when something was held or is held no longer. Returns a function to stop. */
  onChanged(listener: () => void): () => void;
  /** Reads what is held now, for work that somebody asks for by a call. */
  look(): Promise<void>;
}

export const NOTHING_HELD: Held = {
  isHeld: () => false,
  onChanged: () => () => undefined,
  look: () => Promise.resolve(),
};

export interface HeldNamesOptions {
  namespace: string;
  /** Whether notifications currently arrive, so that holds need not be read often. */
  notified: () => boolean;
  onError: (error: unknown) => void;
}

/** How often holds are read while there are some, since they may end by themselves, or while no notification would tell. */
const LOOK_MS = 1_000;
/** The same while there are none, and a notification tells of the first one. */
const QUIET_LOOK_MS = 10_000;

/** What is held, as this process knows it: at most a second late. If it cannot be read, the last known holds stay. */
export class HeldNames implements Held {
  private held = new Set<string>();
  private readonly listeners = new Set<() => void>();
  private readonly loop: PollLoop;
  private unsubscribe = (): void => {};
  private started = false;

  constructor(
    private readonly store: Pick<HoldStore, 'list' | 'onChanged'>,
    private readonly options: HeldNamesOptions,
  ) {
    const { notified, onError } = options;
    const maxMs = () => (this.held.size === 0 && notified() ? QUIET_LOOK_MS : LOOK_MS);
    this.loop = new PollLoop(() => this.tick(), { maxMs, onError });
  }

  /** None unless it was started. */
  get loops(): Loops {
    return this.started ? { holds: this.loop } : {};
  }

  /** Resolves when it knows what is held. @throws DatabaseError when that cannot be read */
  async start(): Promise<void> {
    await this.look();
    this.unsubscribe = this.store.onChanged(() => this.loop.wake());
    this.loop.start();
    this.started = true;
  }

  stop(): Promise<void> {
    this.started = false;
    this.unsubscribe();
    return this.loop.stop();
  }

  isHeld(kind: HoldKind, name: string): boolean {
    return this.held.size > 0 && this.held.has(keyOf(kind, name));
  }

  onChanged(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  async look(): Promise<void> {
    const before = this.held;
    const holds = await this.store.list(this.options.namespace);
    this.held = new Set(holds.map(({ kind, name }) => keyOf(kind, name)));
    const isSame = before.size === this.held.size && [...before].every((key) => this.held.has(key));
    if (!isSame) for (const listener of this.listeners) listener();
  }

  private async tick(): Promise<'idle'> {
    await this.look();
    return 'idle';
  }
}

const keyOf = (kind: HoldKind, name: string): string => `${kind} ${name}`;
