import { givingUp } from '../endings/giving-up.js';
import type { EngineStorage } from '../model/engine-storage.js';
import { readPublished } from '../model/outgoing.js';
import {
  NOTHING_OUTSIDE,
  type ErasedOutside,
  type OutgoingErasure,
  type PublishedBy,
  sumOutside,
} from '../model/outgoing-erasure.js';
import type { Mark, MarkedRun } from '../model/run-erasure.js';
import { type ErasureTally } from './erasure-report.js';
import { stepIdOf } from '../../protocol/step.js';

export interface EraserPorts {
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
