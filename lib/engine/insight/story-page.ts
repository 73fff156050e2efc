import { type Moment, seqAt, WHAT } from '../../protocol/moment.js';
import type { EngineStorage } from '../model/engine-storage.js';
import type { Payloads } from '../model/payloads.js';
import type { RunTimes, StepKey } from '../model/story.js';
import type { StoryEntry } from './story-entry.js';
import { tellAsked, tellAttempt, tellEnded, tellRun, tellSignal, type TellingOf } from './story-views.js';

/** A moment, and what makes an entry of it. Without `tell`: records of the engine, which are read for the whole page. */
export interface Telling {
  moment: Moment;
  tell?: (of: TellingOf, runId: string) => StoryEntry;
}

/** The moments of a run itself. */
export function momentsOfRun(
  { scheduleId, createdAt, startedAt, finishedAt, erasedAt, blockedAt }: RunTimes,
  run: number,
  { first, last }: { first: number; last: number },
): Moment[] {
  const at = (stage: number, what: number, time: number | null): Moment[] =>
    time === null ? [] : [{ at: time, run, stage, what, item: '0' }];
  return [
    ...at(first, WHAT.scheduled, scheduleId === null ? null : createdAt),
    ...at(first, WHAT.created, createdAt),
    ...at(first, WHAT.started, startedAt),
    ...at(last, WHAT.blocked, blockedAt),
    ...at(last, WHAT.runEnded, finishedAt),
    ...at(last, WHAT.erased, erasedAt),
  ];
}

interface Reads {
  storage: Pick<EngineStorage, 'catalog' | 'story'>;
  payloads: Payloads;
}

const OF_STEPS: ReadonlySet<number> = new Set([WHAT.asked, WHAT.attempted, WHAT.ended]);

const nameOf = (runId: string, seq: number, attempt?: number): string => JSON.stringify([runId, seq, attempt ?? null]);

/** Makes the entries of a page. What was deleted since its moment was read is left out. */
export async function entriesOf(
  { storage, payloads }: Reads,
  page: readonly Telling[],
  runIds: readonly string[],
  withPayloads: boolean,
): Promise<StoryEntry[]> {
  const found = await recordsOf(
    storage,
    page.map(({ moment }) => moment),
    runIds,
    withPayloads,
  );
  return page.flatMap(({ moment, tell }) => {
    const runId = runIds[moment.run]!;
    const run = found.runs.get(runId);
    const of: TellingOf = { run, payloads: run ? payloads.ofRun(run) : payloads.of({ runId }), withPayloads };
    return (tell ? tell(of, runId) : entryOf(moment, runId, found, of)) ?? [];
  });
}

type Records = Awaited<ReturnType<typeof recordsOf>>;

async function recordsOf(
  { catalog, story }: Reads['storage'],
  moments: readonly Moment[],
  runIds: readonly string[],
  withPayloads: boolean,
) {
  const keysOf = (wanted: (what: number) => boolean): StepKey[] => {
    const some = moments.filter(({ what }) => wanted(what));
    const keys = some.map(({ run, stage }) => ({ runId: runIds[run]!, seq: seqAt(stage) }));
    return [...new Map(keys.map((key) => [nameOf(key.runId, key.seq), key])).values()];
  };
  const sent = moments.filter(({ what }) => what === WHAT.signal).map(({ item }) => item);
  const runs = await catalog.find([...new Set(moments.map(({ run }) => runIds[run]!))]);
  const steps = await story.steps(
    keysOf((what) => OF_STEPS.has(what)),
    withPayloads,
  );
  const attempts = await story.attempts(keysOf((what) => what === WHAT.attempted));
  const signals = await story.signals([...new Set(sent)], withPayloads);
  return {
    runs: new Map(runs.map((run) => [run.id, run])),
    steps: new Map(steps.map((step) => [nameOf(step.runId, step.seq), step])),
    attempts: new Map(attempts.map((held) => [nameOf(held.runId, held.seq, held.attempt), held])),
    signals: new Map(signals.map((signal) => [signal.id, signal])),
  };
}

/** An entry of the engine's records. */
function entryOf(moment: Moment, runId: string, found: Records, of: TellingOf): StoryEntry | undefined {
  const { what, stage, item } = moment;
  if (what === WHAT.signal) {
    const signal = found.signals.get(item);
    return signal && tellSignal(moment, runId, signal, of);
  }
  if (!OF_STEPS.has(what)) return of.run && tellRun(moment, of.run, of);
  const seq = seqAt(stage);
  const step = found.steps.get(nameOf(runId, seq));
  if (!step) return undefined;
  if (what !== WHAT.attempted) return (what === WHAT.asked ? tellAsked : tellEnded)(moment, step, of);
  const attempt = found.attempts.get(nameOf(runId, seq, Number(item)));
  return attempt && tellAttempt(moment, step, attempt, of);
}
