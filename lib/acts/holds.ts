import { type Loops, PollLoop } from '../core/loops.js';
import { compare } from '../core/protocol.js';
import type { PortMethods, Transaction } from '../core/transaction.js';

/** What can be held. A schedule is paused by its own row; its hold says by whom, and why. */
export type HoldKind = 'workflow' | 'group' | 'effect' | 'schedule';

export const HOLD_KINDS: readonly HoldKind[] = ['workflow', 'group', 'effect', 'schedule'];

/** Something that can be held, by its name. */
export interface HeldThing {
  readonly kind: HoldKind;
  /** The name of the workflow, of the group or of the effect; the id of the schedule. */
  readonly name: string;
}

/** Work on something stands still, in all processes. */
export interface Hold extends HeldThing {
  readonly since: Date;
  /** Who. */
  readonly actor: string;
  readonly reason: string;
  /** When it ends by itself; undefined: when somebody lifts it. */
  readonly until: Date | undefined;
}

/** A hold that begins now, or that changes one in force. */
export type NewHold = Omit<Hold, 'since'>;

/** Whether things of this kind belong to a namespace. Groups and effects are shared by all apps on the same tables. */
export const isInNamespace = (kind: HoldKind): boolean => kind === 'workflow' || kind === 'schedule';

/** The order in which holds are listed. */
export const inOrder = (a: HeldThing, b: HeldThing): number => compare(a.kind, b.kind) || compare(a.name, b.name);

/**
 * Stores what is held. A hold whose `until` has passed, by the storage's clock, does not exist any more: it is not
 * listed, and the next hold deletes its row.
 */
export interface HoldStore {
  /**
   * Begins a hold, or changes the reason and the end of the one in force, which keeps its `since`. Returns that one as it
   * was. Processes are notified with the commit.
   */
  put(namespace: string, hold: NewHold, tx: Transaction): Promise<Hold | undefined>;
  /** Ends a hold and returns it; undefined if there was none. Processes are notified with the commit. */
  lift(namespace: string, thing: HeldThing, tx: Transaction): Promise<Hold | undefined>;
  /**
   * The holds in force on things of this namespace, and on things without one; by kind and name. One small read; with
   * `tx`, of the newest rows.
   */
  list(namespace: string, tx?: Transaction): Promise<Hold[]>;
  /** Calls `listener` when holds may have changed. Notifications may be lost. */
  onChanged(listener: () => void): () => void;
}

export const HOLD_METHODS: PortMethods<HoldStore> = {
  put: 'writes',
  lift: 'writes',
  list: 'reads',
  onChanged: 'tells',
};

/** What must not be begun now. */
export interface Held {
  isHeld(kind: HoldKind, name: string): boolean;
  /** This process ends: it begins nothing any more, asks what runs to end, and gives back what fails, uncounted. */
  readonly isEnding: boolean;
  /** Calls `listener` when something was held or is held no longer, and when this process ends. Returns a function to stop. */
  onChanged(listener: () => void): () => void;
  /** Reads what is held now, for work that somebody asks for by a call. */
  look(): Promise<void>;
}

export const NOTHING_HELD: Held = {
  isHeld: () => false,
  isEnding: false,
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
  readonly isEnding = false;
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

/** What this process must not begin: what is held; while it drains, and once it ends, everything. */
export class Intake implements Held {
  private draining = false;
  private ended = false;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly held: Held) {}

  /** Whether it begins nothing new. */
  get isDraining(): boolean {
    return this.draining || this.ended;
  }

  get isEnding(): boolean {
    return this.ended;
  }

  /** Called with what each heartbeat has heard. Returns whether that is new. */
  drain(draining: boolean): boolean {
    if (this.draining === draining) return false;
    this.draining = draining;
    this.tell();
    return true;
  }

  /** The first sign that this process ends. It is never taken back. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.tell();
  }

  isHeld(kind: HoldKind, name: string): boolean {
    return this.isDraining || this.held.isHeld(kind, name);
  }

  onChanged(listener: () => void): () => void {
    this.listeners.add(listener);
    const unsubscribe = this.held.onChanged(listener);
    return () => {
      this.listeners.delete(listener);
      unsubscribe();
    };
  }

  look(): Promise<void> {
    return this.held.look();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
