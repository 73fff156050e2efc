import { BackgroundService } from '../core/loops.js';
import { stepIdOf } from '../core/protocol.js';
import type { Telemetry } from '../core/telemetry.js';
import type { Clock } from '../core/time.js';
import { givingUp } from './control.js';
import {
  type ErasedOutside,
  type ErasedRows,
  type KeptItem,
  type Mark,
  type MarkedRun,
  NO_ROWS,
  NOTHING_OUTSIDE,
  type OutgoingErasure,
  type PublishedBy,
  sumOutside,
} from './erasure.js';
import type { RunStatus } from './run.js';
import type { SignalCursor } from './signals.js';
import { readPublished } from './step.js';
import type { EngineStorage } from './storage.js';

/** What is deleted automatically, and when. */
export interface RetentionPolicy {
  /** By final status: how long runs are kept, in ms. Runs with other statuses are kept forever. */
  keepMs: Readonly<Partial<Record<RunStatus, number>>>;
  /** How long signals are kept that nobody takes any more, and all signals to keys, in ms; null: forever. */
  signalsMs: number | null;
  /** The most runs deleted in one transaction. */
  batchSize: number;
  everyMs: number;
}

/** The policy that deletes no runs and no signals. */
export const KEEP_ALL: RetentionPolicy = { keepMs: {}, signalsMs: null, batchSize: 500, everyMs: 60_000 };

export interface RetentionPorts {
  storage: Pick<EngineStorage, 'removal' | 'signalRemoval' | 'roster' | 'dispatcher' | 'answers' | 'catalog'>;
  telemetry: Telemetry;
  clock: Clock;
  namespace: string;
  /** What others delete by the app's policy. */
  others?: readonly Purging[] | undefined;
}

/** Something outside of the engine that ends and stays. */
export interface Purging {
  /** For the event: `effects`. */
  what: string;
  /** Deletes up to `limit` of the oldest rows whose time is over, in one transaction. Returns how many. */
  purge: (limit: number) => Promise<number>;
}

/** The age at which an answer to a missing run is deleted; other users of the tables take theirs much earlier. */
const STRAY_MS = 86_400_000;
const LOOK_AT = 500;

/**
 * Slowly deletes old data: runs and signals by the app's policy; and, independent of the policy, rows of dead
 * processes, expired start keys, and answers to runs that do not exist. Any number of processes can do so at the same
 * time: each skips rows that others have locked.
 */
export class Retention extends BackgroundService {
  /** Where the next look at signals to runs goes on. */
  private cursor: SignalCursor | undefined;

  constructor(
    private readonly ports: RetentionPorts,
    private readonly policy: RetentionPolicy = KEEP_ALL,
  ) {
    super('retention', {
      maxMs: policy.everyMs,
      napsFirst: true,
      onError: (error) => ports.telemetry.emit('loop.error', { loop: 'retention', error }),
    });
  }

  /** Deletes one batch of each kind. */
  async look(): Promise<'busy' | 'idle'> {
    const { roster, removal } = this.ports.storage;
    const runs = await this.purgeRuns();
    const signals = await this.purgeSignals();
    const others = await this.purgeOthers();
    const keys = await removal.tidy(LOOK_AT);
    await this.takeStrays();
    await roster.strikeOff();
    return Math.max(runs, signals, others, keys) > 0 ? 'busy' : 'idle';
  }

  private async purgeRuns(): Promise<number> {
    const { storage, telemetry, namespace } = this.ports;
    const { keepMs, batchSize: limit } = this.policy;
    let purged = 0;
    for (const [status, olderThanMs] of Object.entries(keepMs)) {
      const request = { namespace, status: [status as RunStatus], olderThanMs, limit };
      purged += await storage.removal.purge(request, givingUp(storage));
    }
    if (purged > 0) telemetry.emit('runs.purged', { runs: purged });
    return purged;
  }

  private async purgeSignals(): Promise<number> {
    const { signalsMs, batchSize } = this.policy;
    if (signalsMs === null) return 0;
    const { storage, namespace } = this.ports;
    const request = { namespace, olderThanMs: signalsMs, limit: batchSize };
    const ofKeys = await storage.signalRemoval.purgeOfKeys(request);
    const { purged, next } = await storage.signalRemoval.purgeOfRuns(request, this.cursor);
    this.cursor = next;
    this.told('signals', ofKeys + purged);
    return ofKeys + purged;
  }

  private async purgeOthers(): Promise<number> {
    let most = 0;
    for (const { what, purge } of this.ports.others ?? []) {
      const rows = await purge(this.policy.batchSize);
      this.told(what, rows);
      most = Math.max(most, rows);
    }
    return most;
  }

  private told(what: string, rows: number): void {
    if (rows > 0) this.ports.telemetry.emit('rows.purged', { what, rows });
  }

  /** Deletes answers that no run will ever take; otherwise they would be read again and again. */
  private async takeStrays(): Promise<void> {
    const { storage, clock } = this.ports;
    const before = clock.now() - STRAY_MS;
    const { answers } = await storage.dispatcher.peek(LOOK_AT);
    const old = answers.filter(({ createdAt }) => createdAt < before);
    if (old.length === 0) return;
    const found = new Set((await storage.catalog.find(old.map(({ runId }) => runId))).map(({ id }) => id));
    const strays = old.filter(({ runId }) => !found.has(runId)).map(({ stepId }) => stepId);
    if (strays.length > 0) await storage.dispatcher.take(strays);
  }
}

interface EraserPorts {
  storage: Pick<EngineStorage, 'erasure' | 'erasureReads' | 'acts' | 'dispatcher' | 'answers'>;
  outgoing: OutgoingErasure;
}

/** Marks per page, and runs per transaction. */
const MARKS = 100;
/** Rows of a kind per transaction. */
const ROWS = 1_000;

/**
 * Erases marked runs, with the calls and events that they have given to others. A mark is removed when nothing of it is
 * left; so whatever interrupts this, the next call goes on.
 */
export class Eraser {
  constructor(private readonly ports: EraserPorts) {}

  /** Erases the runs of one erasure, or all of the namespace, that have ended. */
  async work(of: { namespace: string; erasureId?: string }, tally: ErasureTally): Promise<void> {
    for (;;) {
      tally.lookAgain();
      let grown = 0;
      for await (const page of this.pages(of)) {
        grown += await this.follow(page);
        await this.erase(page, tally);
      }
      // Runs that were found meanwhile may come before the last page.
      if (grown === 0) return;
    }
  }

  private async *pages(of: { namespace: string; erasureId?: string }): AsyncIterable<MarkedRun[]> {
    let after: Mark | undefined;
    for (;;) {
      const page = await this.ports.storage.erasure.marked({ ...of, limit: MARKS, ...(after && { after }) });
      if (page.length > 0) yield page;
      if (page.length < MARKS) return;
      after = page.at(-1)!;
    }
  }

  private async follow(page: readonly MarkedRun[]): Promise<number> {
    const ids = wholeRuns(page).map(({ runId }) => runId);
    let grown = 0;
    for (let found = ids.length; found > 0; grown += found) found = await this.ports.storage.erasure.follow(ids);
    return grown;
  }

  private async erase(page: readonly MarkedRun[], tally: ErasureTally): Promise<void> {
    const { erasure } = this.ports.storage;
    for (const mark of page) if (mark.state === 'open') tally.keep(keptOpen(mark));
    for (const { scheduleId } of page) if (scheduleId !== null) tally.schedules.add(scheduleId);
    const ended = page.filter(({ state }) => state === 'ended');
    if (ended.length > 0) tally.add(await erasure.blank(ended, givingUp(this.ports.storage)));
    const runs = wholeRuns(page).filter(({ state }) => state !== 'open');
    const outside = await this.outside(runs);
    tally.add(outside);
    const ids = runs.map(({ runId }) => runId);
    await this.sweep(ids, tally);
    // Also of parents: what an operator has replaced may be the outcome of the child.
    const acted = new Set(page.filter(({ state }) => state !== 'open').map(({ runId }) => runId));
    tally.add({ acts: await this.ports.storage.acts.forget('run', [...acted]) });
    const waiting = new Set(outside.kept.map(({ runId }) => runId));
    const over = page.filter(({ runId, seq, state }) => state !== 'open' && (seq !== null || !waiting.has(runId)));
    // Of a run that has begun anew meanwhile, everything is still to be erased.
    for (const mark of await erasure.unmark(over)) tally.keep(keptOpen(mark));
  }

  private async sweep(runIds: readonly string[], tally: ErasureTally): Promise<void> {
    if (runIds.length === 0) return;
    for (;;) {
      const rows = await this.ports.storage.erasure.sweep(runIds, ROWS);
      tally.add(rows);
      if (Object.values(rows).every((count: number) => count === 0)) return;
    }
  }

  private async outside(runs: readonly MarkedRun[]): Promise<ErasedOutside> {
    let sum = NOTHING_OUTSIDE;
    for (const discards of [false, true]) {
      const ids = runs.filter((run) => run.discards === discards).map(({ runId }) => runId);
      if (ids.length === 0) continue;
      sum = sumOutside(sum, await this.ports.outgoing.effectsOf(ids, discards));
      for await (const published of this.published(ids))
        sum = sumOutside(sum, await this.ports.outgoing.eventsOf(published, discards));
    }
    return sum;
  }

  private async *published(runIds: readonly string[]): AsyncIterable<PublishedBy[]> {
    const { storage } = this.ports;
    let after: Mark | undefined;
    for (;;) {
      const page = await storage.erasureReads.published(runIds, after, ROWS);
      if (page.length > 0) yield page.map(({ runId, output }) => ({ runId, ...readPublished(output) }));
      if (page.length < ROWS) return;
      after = page.at(-1)!;
    }
  }
}

const wholeRuns = (page: readonly MarkedRun[]): MarkedRun[] => page.filter(({ seq }) => seq === null);

const keptOpen = ({ runId, seq }: Mark) =>
  seq === null
    ? ({ kind: 'run', id: runId, why: 'It has not ended, or it has begun anew; it is erased when it ends' } as const)
    : ({
        kind: 'step',
        id: stepIdOf(runId, seq),
        runId,
        why: 'It holds the outcome of an erased child, and its run has not ended; it is erased when that ends',
      } as const);

export interface ErasureServicePorts extends EraserPorts {
  telemetry: Telemetry;
  namespace: string;
}

/** How soon a run that has ended is erased; and how soon calls and events are that had to be kept until then. */
const [EVERY_MS, KEPT_EVERY_MS] = [5_000, 60_000];

/**
 * Erases marked runs when they have ended, and continues erasures that were interrupted. It reads one
 * table, which is empty while nothing is being erased. Any number of processes may do so at the same time.
 */
export class ErasureService extends BackgroundService {
  private readonly eraser: Eraser;
  private keeps = false;

  constructor(private readonly ports: ErasureServicePorts) {
    super('erasure', {
      maxMs: () => (this.keeps ? KEPT_EVERY_MS : EVERY_MS),
      napsFirst: true,
      onError: (error) => ports.telemetry.emit('loop.error', { loop: 'erasure', error }),
    });
    this.eraser = new Eraser(ports);
  }

  /** Erases what can be erased now. */
  async look(): Promise<'idle'> {
    const tally = new ErasureTally();
    await this.eraser.work({ namespace: this.ports.namespace }, tally);
    this.keeps = !tally.isComplete;
    return 'idle';
  }
}

/** How many rows of each kind were blanked or deleted by a call of `erase`. */
export interface ErasedCounts extends ErasedRows, Omit<ErasedOutside, 'kept'> {
  /** Details of operators' acts on the runs. */
  acts: number;
}

/** What `erase` has done, and what is left to be done. */
export interface ErasureReport {
  /** Identifies the act; also in its audit row. */
  id: string;
  erased: ErasedCounts;
  /** Runs that have not ended: they are erased when they do, by an engine. */
  underWay: number;
  /** What was not erased, and why: the first 100. */
  kept: readonly KeptItem[];
  /** How many were not erased, counted as far as they were read. */
  left: number;
  /** Whether nothing is left: no run is under way, and nothing was kept. */
  complete: boolean;
}

const MOST_LISTED = 100;

/** Counts what an erasure does. */
export class ErasureTally {
  private readonly counts: ErasedCounts = {
    ...NO_ROWS,
    effects: 0,
    auditEvents: 0,
    events: 0,
    deadLetters: 0,
    acts: 0,
  };
  /** Of the runs that were looked at. */
  readonly schedules = new Set<string>();
  private kept: KeptItem[] = [];
  private left = 0;
  private underWay = 0;

  add({ kept = [], ...counts }: Partial<ErasedCounts> & { kept?: readonly KeptItem[] }): void {
    for (const [kind, count] of Object.entries(counts)) this.counts[kind as keyof ErasedCounts] += count;
    for (const item of kept) this.keep(item);
  }

  keep(item: KeptItem): void {
    this.left++;
    if (item.kind === 'run') this.underWay++;
    if (this.kept.length < MOST_LISTED) this.kept.push(item);
  }

  /** What was left may be gone since: it is looked at again. */
  lookAgain(): void {
    this.kept = [];
    this.left = 0;
    this.underWay = 0;
  }

  get isComplete(): boolean {
    return this.left === 0;
  }

  report(id: string): ErasureReport {
    const { counts, kept, left, underWay } = this;
    return { id, erased: { ...counts }, underWay, kept: [...kept], left, complete: this.isComplete };
  }
}
