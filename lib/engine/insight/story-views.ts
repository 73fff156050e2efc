import type { ActInStory } from '../../acts/act-log.js';
import { type Moment, WHAT } from '../../protocol/moment.js';
import { parseWireError } from '../../protocol/wire-error.js';
import { readListened } from '../model/mailbox.js';
import { readDetail } from '../model/mismatch.js';
import { readPublished } from '../model/outgoing.js';
import type { Payloads } from '../model/payloads.js';
import type { AttemptRecord } from '../model/run-insight.js';
import { PUBLISHED } from '../model/run-erasure.js';
import type { BlockReason, RunRecord } from '../model/run.js';
import type { StepRecord } from '../model/step-record.js';
import type { DeadLetterInStory, EffectInStory, SignalInStory } from '../model/story.js';
import { date, readError } from './run-views.js';
import type { StoryEntry } from './story-entry.js';

/** What an entry is made of. */
export interface TellingOf {
  /** Undefined if the run was deleted. */
  run: RunRecord | undefined;
  payloads: Payloads;
  /** Whether values are told, too. */
  withPayloads: boolean;
}

type Base = Pick<StoryEntry, 'at' | 'runId' | 'erased'>;

const baseOf = ({ at }: Moment, runId: string, { run }: TellingOf): Base => ({
  at: new Date(at),
  runId,
  erased: (run?.erasedAt ?? null) !== null,
});

/** A run's own moments. */
export function tellRun(moment: Moment, run: RunRecord, telling: TellingOf): StoryEntry {
  const { payloads, withPayloads } = telling;
  const base = baseOf(moment, run.id, telling);
  const { workflow, version, parentId, scheduleId, status } = run;
  switch (moment.what) {
    case WHAT.scheduled:
      return { kind: 'schedule.fired', ...base, scheduleId: scheduleId ?? '' };
    case WHAT.created: {
      const forkedFrom = run.forkedFrom === null ? null : { id: run.forkedFrom, seq: run.forkedSeq ?? 0 };
      const input = withPayloads && { input: payloads.readValue(run.input) };
      return { kind: 'run.created', ...base, workflow, version, parentId, forkedFrom, ...input };
    }
    case WHAT.blocked:
      return { kind: 'run.blocked', ...base, reason: run.reason as BlockReason, detail: detailOf(run, payloads) };
    case WHAT.runEnded: {
      const output = withPayloads && { output: payloads.readValue(run.output) };
      return { kind: 'run.ended', ...base, status, error: readError(run.error, payloads), ...output };
    }
    default:
      return { kind: moment.what === WHAT.erased ? 'run.erased' : 'run.started', ...base };
  }
}

function detailOf({ reasonDetail }: RunRecord, { texts, context }: Payloads): string | null {
  const { detail } = readDetail(reasonDetail);
  return detail === null ? null : texts.readText(detail, context);
}

const ofStep = (moment: Moment, step: StepRecord, telling: TellingOf) => ({
  ...baseOf(moment, step.runId, telling),
  seq: step.seq,
  name: step.name,
  step: step.kind,
  compensates: step.seq < 0 ? -1 - step.seq : null,
});

/** A step was asked for. */
export function tellAsked(moment: Moment, step: StepRecord, telling: TellingOf): StoryEntry {
  const base = ofStep(moment, step, telling);
  switch (step.kind) {
    case 'sleep':
      return { kind: 'timer.set', ...base, until: date(step.wakeAt) };
    case 'child':
      return { kind: 'child.asked', ...base, childId: step.ref };
    case 'signal':
      return { kind: 'wait.begun', ...base, signals: step.settled === null ? readListened(step.output) : [] };
    case 'marker': {
      if (step.ref !== PUBLISHED) return { kind: 'marker', ...base };
      const { ids: mutationIds, channels } = readPublished(step.output);
      return { kind: 'event.published', ...base, mutationIds, channels };
    }
    default:
      return { kind: 'step.asked', ...base };
  }
}

export function tellEnded(moment: Moment, step: StepRecord, telling: TellingOf): StoryEntry {
  const { payloads, withPayloads } = telling;
  const base = ofStep(moment, step, telling);
  const { status, failures, worker } = step;
  const output = withPayloads && { output: payloads.readValue(step.output) };
  const outcome = { status, error: readError(step.error, payloads), ...output };
  switch (step.kind) {
    case 'sleep':
      return { kind: 'timer.ended', ...base };
    case 'child':
      return { kind: 'child.ended', ...base, ...outcome, childId: step.ref };
    case 'signal':
      return { kind: step.ref === null ? 'wait.ended' : 'signal.taken', ...base, ...outcome };
    default:
      return { kind: 'step.ended', ...base, ...outcome, startedAt: date(step.startedAt), failures, worker };
  }
}

export function tellAttempt(
  moment: Moment,
  step: StepRecord,
  { attempt, outcome, startedAt, worker, error }: AttemptRecord,
  telling: TellingOf,
): StoryEntry {
  const told = { attempt, outcome, startedAt: date(startedAt), worker };
  return { kind: 'step.attempt', ...ofStep(moment, step, telling), ...told, error: readError(error, telling.payloads) };
}

export function tellSignal(moment: Moment, runId: string, signal: SignalInStory, telling: TellingOf): StoryEntry {
  const { id, name, addressed, target } = signal;
  // As it was encoded: for one run, or for whoever takes it.
  const payloads = telling.payloads.of(addressed === 'run' ? { runId: target } : {});
  const payload = telling.withPayloads && { payload: payloads.readValue(signal.payload) };
  const key = addressed === 'run' ? null : target;
  return { kind: 'signal.sent', ...baseOf(moment, runId, telling), id, name, key, ...payload };
}

export function tellEffect(effect: EffectInStory, runId: string, telling: TellingOf): StoryEntry {
  const { entryId, operation, subject, handler, status, attempts, isErased } = effect;
  const base = { ...baseOf(effect, runId, telling), erased: isErased, entryId, operation, subject, handler };
  const payloads = telling.payloads.of({ subject, input: effect.ref ?? '' });
  if (effect.what === WHAT.effectAttempted) return { kind: 'effect.attempted', ...base, attempts };
  const ref = telling.withPayloads && { ref: payloads.readValue(effect.ref) };
  if (effect.what === WHAT.effectAsked) return { kind: 'effect.asked', ...base, ...ref };
  const { error, lastError } = effect;
  const stored = error === null ? null : payloads.texts.readable(parseWireError(error), payloads.context);
  const last = stored ?? (lastError === null ? null : { message: lastError });
  return { kind: 'effect.ended', ...base, status, attempts, error: status === 'succeeded' ? null : last };
}

export function tellDead(dead: DeadLetterInStory, runId: string, telling: TellingOf): StoryEntry {
  const { mutationId, channel, name, destination, sequenceId, attempts, reason, error } = dead;
  const letter = { mutationId, channel, name, destination, sequenceId, attempts, reason, error };
  return { kind: 'event.dead', ...baseOf(dead, runId, telling), ...letter };
}

export function tellAct({ moment, act }: ActInStory, runId: string, telling: TellingOf): StoryEntry {
  const { id, actor, reason, action, outcome, kind, target, details } = act;
  const told = { id, actor, reason, action, outcome, target: { kind, id: target } };
  return { kind: 'act', ...baseOf(moment, runId, telling), ...told, ...(telling.withPayloads && { details }) };
}
