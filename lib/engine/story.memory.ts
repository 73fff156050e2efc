import { type Moment, type MomentQuery, nextOf, STAGE, stageOf, WHAT } from '../core/protocol.js';
import type { AttemptRecord } from './insight.js';
import { PUBLISHED } from './erasure.js';
import { BLOCK_REASONS } from './run.js';
import { positionIn, type StepRecord } from './step.js';
import {
  type ChildrenQuery,
  LOWEST_SEQ,
  type RunTimes,
  type SignalInStory,
  type StepKey,
  type StoryReads,
} from './story.js';
import type { HeldRun, HeldSignal, MemoryTables } from './tables.memory.js';

/** The counterpart of `SqlStory`. */
export class InMemoryStory implements StoryReads {
  constructor(private readonly tables: MemoryTables) {}

  async runs(runIds: readonly string[]): Promise<RunTimes[]> {
    const found = [...new Set(runIds)].sort().flatMap((id) => this.tables.runs.get(id) ?? []);
    return found.map((run) => this.timesOf(run));
  }

  async children({ namespace, parentIds, limit }: ChildrenQuery): Promise<RunTimes[]> {
    const parents = new Set(parentIds);
    const found = [...this.tables.runs.values()].filter(
      (run) => run.namespace === namespace && parents.has(run.parentId!),
    );
    found.sort((a, b) => (a.id < b.id ? -1 : 1));
    return found.slice(0, limit).map((run) => this.timesOf(run));
  }

  async moments({ runIds, ...next }: MomentQuery): Promise<Moment[]> {
    const all = runIds.flatMap((id, run) => [...this.stepMoments(id, run), ...this.signalMoments(id, run)]);
    return nextOf(all, next);
  }

  async steps(keys: readonly StepKey[], payloads: boolean): Promise<StepRecord[]> {
    const steps = keys.flatMap(({ runId, seq }) => this.tables.steps.get(runId)?.get(seq) ?? []);
    return steps.map((step) => (payloads || isOwn(step) ? step : { ...step, output: null }));
  }

  async attempts(keys: readonly StepKey[]): Promise<AttemptRecord[]> {
    return keys.flatMap(({ runId, seq }) => (this.tables.attempts.get(runId) ?? []).filter((held) => held.seq === seq));
  }

  async signals(ids: readonly string[], payloads: boolean): Promise<SignalInStory[]> {
    const held = this.tables.signals.filter(({ id }) => ids.includes(String(id)));
    return held.map(({ id, name, addressed, target, payload }) => ({
      id: String(id),
      name,
      addressed,
      target,
      payload: payloads ? payload : null,
    }));
  }

  private timesOf(run: HeldRun): RunTimes {
    const { id, namespace, scheduleId, createdAt, startedAt, finishedAt, erasedAt } = run;
    const times = { id, namespace, scheduleId, createdAt, startedAt, finishedAt, erasedAt };
    return { ...times, blockedAt: isBlocked(run) ? this.lastRecorded(run) : null };
  }

  private lastRecorded({ id, startedAt, createdAt }: HeldRun): number {
    const steps = this.tables.history(id).flatMap((step) => [step.createdAt, step.startedAt, step.finishedAt]);
    const attempts = (this.tables.attempts.get(id) ?? []).map(({ finishedAt }) => finishedAt);
    return Math.max(startedAt ?? createdAt, ...[...steps, ...attempts].map((at) => at ?? 0));
  }

  private stepMoments(runId: string, run: number): Moment[] {
    const positions = this.tables.history(runId).filter(({ seq }) => seq > LOWEST_SEQ);
    const steps = positions.flatMap(({ seq, kind, createdAt, finishedAt }) => {
      const at = { run, stage: stageOf(seq), item: '0' };
      const asked = { ...at, at: createdAt, what: WHAT.asked };
      if (finishedAt === null || kind === 'marker') return [asked];
      return [asked, { ...at, at: finishedAt, what: WHAT.ended }];
    });
    const attempts = (this.tables.attempts.get(runId) ?? []).flatMap((held): Moment[] => {
      const at = held.finishedAt ?? held.startedAt ?? held.askedAt;
      const item = String(held.attempt);
      return at === null ? [] : [{ at, run, stage: stageOf(held.seq), what: WHAT.attempted, item }];
    });
    return [...steps, ...attempts];
  }

  private signalMoments(runId: string, run: number): Moment[] {
    const taken = this.tables
      .history(runId)
      .filter(({ kind }) => kind === 'signal')
      .flatMap(({ ref }) => positionIn(ref));
    const isTaken = (signal: HeldSignal) =>
      taken.some(({ channel, position }) => signal.channel === channel && signal.position === position);
    return this.tables.signals
      .filter((signal) => (signal.addressed === 'run' ? signal.target === runId : isTaken(signal)))
      .map(({ id, createdAt: at }) => ({ at, run, stage: STAGE.first, what: WHAT.signal, item: String(id) }));
  }
}

const isBlocked = ({ status, reason }: HeldRun): boolean =>
  status === 'suspended' && BLOCK_REASONS.some((known) => known === reason);

const isOwn = ({ kind, ref, settled }: StepRecord): boolean =>
  (kind === 'marker' && ref === PUBLISHED) || (kind === 'signal' && settled === null);
