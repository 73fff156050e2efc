import { stepIdOf } from '../core/protocol.js';
import { inMemoryTransaction, type Transaction } from '../core/transaction.js';
import type { GivingUp } from './control.js';
import {
  ABANDONED_MS,
  type ErasedRows,
  type Erasure,
  type ErasureReads,
  type Mark,
  type MarkedRun,
  NO_ROWS,
  PUBLISHED,
  type PublishedStep,
  type RunErasure,
  type RunsHaving,
} from './erasure.js';
import { holdAttribute, isFinal } from './run.js';
import { NO_ENDINGS } from './runs.js';
import type { StepRecord } from './step.js';
import { type HeldMark, type HeldRun, type HeldSignal, InMemoryAdapter, isAnswerable } from './tables.memory.js';

const BLANK = {
  reasonDetail: null,
  input: null,
  output: null,
  error: null,
  limiter: null,
  customStatus: null,
  resume: null,
} as const;

/** The counterpart of `SqlRunErasure`. */
export class InMemoryRunErasure extends InMemoryAdapter implements RunErasure, ErasureReads {
  async having({ namespace, attributes, after, limit }: RunsHaving): Promise<string[]> {
    const has = ({ id }: HeldRun) =>
      attributes.every(([name, value]) => {
        const held = this.tables.attributes.get(id)?.get(name);
        return held !== undefined && textOf(held) === textOf(value);
      });
    const found = [...this.tables.runs.values()].filter((run) => run.namespace === namespace && run.id > after);
    return found
      .filter(has)
      .map(({ id }) => id)
      .sort()
      .slice(0, limit);
  }

  async published(runIds: readonly string[], after: Mark | undefined, limit: number): Promise<PublishedStep[]> {
    const steps = [...new Set(runIds)].flatMap((id) => this.tables.history(id)).filter(isPublished);
    const found = steps.map(({ runId, seq, output }) => ({ runId, seq, output: output! }));
    return found
      .sort(inOrder)
      .filter((step) => !after || inOrder(step, after) > 0)
      .slice(0, limit);
  }

  async mark({ id, namespace, discards }: Erasure, runIds: readonly string[]): Promise<void> {
    for (const runId of runIds) {
      const run = this.tables.runs.get(runId);
      if (!run || run.namespace === namespace)
        this.keep({ runId, seq: null, namespace, erasureId: id, discards, askedAt: this.clock.now() });
    }
  }

  async follow(runIds: readonly string[]): Promise<number> {
    return this.followAll(runIds);
  }

  async marked({ namespace, erasureId, after, limit }: Parameters<RunErasure['marked']>[0]): Promise<MarkedRun[]> {
    const ours = [...this.tables.erasures.values()].filter((mark) =>
      erasureId === undefined ? mark.namespace === namespace && this.isLeft(mark) : mark.erasureId === erasureId,
    );
    const page = ours.sort(inOrder).filter((mark) => !after || inOrder(mark, after) > 0);
    return page.slice(0, limit).map(({ runId, seq, erasureId, discards }) => ({
      runId,
      seq,
      erasureId,
      discards,
      scheduleId: this.tables.runs.get(runId)?.scheduleId ?? null,
      state: this.stateOf(runId),
    }));
  }

  blank(marks: readonly Mark[], givingUp: GivingUp): Promise<ErasedRows> {
    return inMemoryTransaction(undefined, (tx) => this.tables.exclusively(() => this.blankAll(marks, givingUp, tx)));
  }

  async sweep(runIds: readonly string[], limit: number): Promise<ErasedRows> {
    const ids = runIds.filter((id) => {
      const run = this.tables.runs.get(id);
      return run && isFinal(run.status) && run.erasedAt !== null;
    });
    const left = ids.flatMap((id) => this.tables.history(id)).filter((step) => isLeft(step) && !isPublished(step));
    const some = left.sort(inOrder).slice(0, limit);
    const signals = this.removeSignals(new Set(ids), some, limit);
    for (const step of some) this.blankStep(step);
    return { ...NO_ROWS, steps: some.length, ...this.removeNotes(ids), signals };
  }

  async unmark<M extends MarkedRun>(marks: readonly M[]): Promise<M[]> {
    const isAnew = ({ runId }: Mark) => {
      const run = this.tables.runs.get(runId);
      return run !== undefined && (!isFinal(run.status) || run.erasedAt === null);
    };
    for (const mark of marks.filter((one) => !isAnew(one)))
      if (this.tables.erasures.get(keyOf(mark))?.erasureId === mark.erasureId) this.tables.erasures.delete(keyOf(mark));
    return marks.filter(isAnew);
  }

  private stateOf(runId: string): MarkedRun['state'] {
    const run = this.tables.runs.get(runId);
    return !run ? 'missing' : isFinal(run.status) ? 'ended' : 'open';
  }

  /** Nobody else erases it. */
  private isLeft({ runId, askedAt }: HeldMark): boolean {
    if (this.stateOf(runId) === 'open') return false;
    const { finishedAt = null } = this.tables.runs.get(runId) ?? {};
    return (finishedAt ?? -1) >= askedAt || askedAt < this.clock.now() - ABANDONED_MS;
  }

  private keep(mark: HeldMark): void {
    this.tables.erasures.set(keyOf(mark), mark);
  }

  private isMarked(mark: Mark): boolean {
    return this.tables.erasures.has(keyOf(mark));
  }

  private followAll(runIds: readonly string[]): number {
    let followed = 0;
    for (const runId of runIds) {
      const mark = this.tables.erasures.get(keyOf({ runId, seq: null }));
      if (!mark) continue;
      for (const found of this.relativesOf(runId)) {
        if (this.isMarked(found) || this.isMarked({ ...found, seq: null })) continue;
        this.keep({ ...mark, ...found });
        followed++;
      }
    }
    return followed;
  }

  private relativesOf(runId: string): Mark[] {
    const run = this.tables.runs.get(runId);
    const children = [...this.tables.runs.values()].filter(({ parentId }) => parentId === runId);
    const own = children.map(({ id }): Mark => ({ runId: id, seq: null }));
    return run?.parentId && run.parentSeq !== null ? [...own, { runId: run.parentId, seq: run.parentSeq }] : own;
  }

  private async blankAll(marks: readonly Mark[], givingUp: GivingUp, tx: Transaction): Promise<ErasedRows> {
    const there = marks.filter(({ runId }) => this.stateOf(runId) === 'ended');
    const ids = there.filter(({ seq }) => seq === null).map(({ runId }) => runId);
    const lone = there.flatMap(({ runId, seq }) =>
      seq === null ? [] : (this.tables.steps.get(runId)?.get(seq) ?? []),
    );
    const steps = lone.filter(isLeft);
    for (const step of steps) this.blankAlone(step);
    for (const { runId } of lone) this.tables.runs.get(runId)!.erasedAt ??= this.clock.now();
    this.followAll(ids);
    await this.withdraw(ids, givingUp, tx);
    const rows = ids.map((id) => this.blankRun(this.tables.runs.get(id)!));
    const attributes = rows.reduce((sum, row) => sum + row.attributes, 0);
    return { ...NO_ROWS, runs: rows.filter(({ changed }) => changed).length, steps: steps.length, attributes };
  }

  private async withdraw(runIds: readonly string[], givingUp: GivingUp, tx: Transaction): Promise<void> {
    const ids = new Set(runIds);
    const open = runIds.flatMap((id) => this.tables.history(id)).filter(isAnswerable);
    const withdrawn = open.map(({ runId, seq }) => stepIdOf(runId, seq));
    if (withdrawn.length > 0) await givingUp({ ...NO_ENDINGS, withdrawn }, tx);
    for (const [key, { runId }] of [...this.tables.waits]) if (ids.has(runId)) this.tables.waits.delete(key);
    for (const [key, { runId }] of [...this.tables.limiterEntries])
      if (ids.has(runId)) this.tables.limiterEntries.delete(key);
  }

  private blankRun(run: HeldRun): { changed: boolean; attributes: number } {
    const isOld = run.erasedAt !== null && Object.keys(BLANK).every((name) => run[name as keyof typeof BLANK] === null);
    const attributes = this.tables.attributes.get(run.id)?.size ?? 0;
    this.tables.attributes.delete(run.id);
    delete run.context;
    Object.assign(run, { ...BLANK, erasedAt: run.erasedAt ?? this.clock.now() });
    return { changed: !isOld, attributes };
  }

  private blankStep({ input: _, ...step }: StepRecord): void {
    this.tables.steps.get(step.runId)!.set(step.seq, { ...step, output: null, error: null });
  }

  private blankAlone(step: StepRecord): void {
    this.blankStep(step);
    for (const attempt of this.tables.attempts.get(step.runId) ?? [])
      if (attempt.seq === step.seq) attempt.error = null;
  }

  private removeNotes(runIds: readonly string[]): { attempts: number; logs: number } {
    let [attempts, logs] = [0, 0];
    for (const id of runIds) {
      const left = (this.tables.attempts.get(id) ?? []).filter(({ error }) => error !== null);
      for (const attempt of left) attempt.error = null;
      attempts += left.length;
      logs += this.tables.logs.get(id)?.length ?? 0;
      this.tables.logs.delete(id);
    }
    return { attempts, logs };
  }

  private removeSignals(runIds: ReadonlySet<string>, steps: readonly StepRecord[], limit: number): number {
    const { signals } = this.tables;
    const taken = new Set(
      steps.flatMap(({ kind, ref, runId }) => (kind === 'signal' && ref !== null ? [`${ref} ${runId}`] : [])),
    );
    const sent = signals.filter(({ addressed, target }) => addressed === 'run' && runIds.has(target)).slice(0, limit);
    const isTaken = ({ channel, position, takenBy }: HeldSignal) => taken.has(`${channel}:${position} ${takenBy}`);
    const going = new Set([...sent, ...signals.filter(isTaken)]);
    for (const signal of going) signals.splice(signals.indexOf(signal), 1);
    return going.size;
  }
}

const keyOf = ({ runId, seq }: Mark): string => JSON.stringify([runId, seq]);

const textOf = (value: Parameters<typeof holdAttribute>[0]): string => JSON.stringify(holdAttribute(value));

const isPublished = ({ kind, ref, output }: StepRecord): boolean =>
  kind === 'marker' && ref === PUBLISHED && output !== null;

const isLeft = ({ input, output, error }: StepRecord): boolean =>
  output !== null || error !== null || input !== undefined;

/** Whole runs first. */
const inOrder = (a: Mark, b: Mark): number =>
  a.runId < b.runId ? -1 : a.runId > b.runId ? 1 : (a.seq ?? -Infinity) - (b.seq ?? -Infinity) || 0;
