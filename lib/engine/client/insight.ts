import type { ActTarget } from '../../acts/acts.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { checkedLimit, checkedOptions, cursorText, type KnownOptions, readCursor } from '../../core/options.js';
import { compareMoments, type Moment, type MomentQuery, nextOf, seqAt, STAGE, WHAT } from '../../core/protocol.js';
import { explainRun, type WorkflowExplanation } from '../explain.js';
import { MOST_LISTED } from '../insight.js';
import { LIST_OPTIONS, type ListOptions, listQuery, type WorkflowPage } from '../listing.js';
import type { Payloads } from '../payloads.js';
import { type AttributeValue, checkRunId, type RunRecord } from '../run.js';
import { readOperation } from '../signals.js';
import { type CallInSight, type CallsInSight, readPublished, type StepRecord } from '../step.js';
import type { EngineStorage } from '../storage.js';
import {
  type OutgoingStory,
  type PublishedEvents,
  type RunTimes,
  type StepKey,
  type Story,
  type StoryEntry,
  type StoryOptions,
  tellAct,
  tellAsked,
  tellAttempt,
  tellDead,
  tellEffect,
  tellEnded,
  type TellingOf,
  tellRun,
  tellSignal,
} from '../story.js';
import {
  cursorOf,
  readableRun,
  STATUS_OPTIONS,
  type StatusOptions,
  viewRun,
  type WorkflowChildStatus,
  type WorkflowRunStatus,
} from '../views.js';
import { checkedRuns, RUNS_TARGET, type RunsTarget } from './erasure.js';
import type { ClientHistory } from './history.js';
import { ownRun } from './results.js';

interface InsightPorts {
  storage: Pick<EngineStorage, 'catalog' | 'insight' | 'roster' | 'steps' | 'holds'>;
  payloads: Payloads;
  namespace: string;
  /** Undefined if the app has no effects. */
  calls?: CallsInSight | undefined;
}

/** The most operations whose calls are explained. */
const MOST_OPERATIONS = 10;

export class ClientInsight {
  constructor(
    private readonly ports: InsightPorts,
    private readonly history: Pick<ClientHistory, 'whole'>,
  ) {}

  /** @throws WorkflowNotFoundError, InvalidArgumentError */
  async getStatus(id: string, options: StatusOptions): Promise<WorkflowRunStatus> {
    const { history = false, inputs, children = false } = checkedOptions(options, STATUS_OPTIONS, 'getStatus');
    if (inputs !== undefined && (inputs !== 'replay' || !history))
      throw new InvalidArgumentError('inputs', inputs, "'replay', together with history: true");
    const most =
      children === false ? 0 : checkedLimit((typeof children === 'object' ? children.limit : undefined) ?? 100, 1_000);
    const positions = typeof history === 'object' ? checkedPositions(history.limit) : undefined;
    const run = await this.find(id);
    const [view] = await this.views([run]);
    return {
      ...view!,
      ...(history !== false && (await this.history.whole(run, { withInputs: inputs !== undefined, most: positions }))),
      ...(most > 0 && { children: await this.children(id, most) }),
    };
  }

  /** @throws InvalidArgumentError */
  async list(options: ListOptions): Promise<WorkflowPage> {
    const { runs, next, lookedAt } = await this.ports.storage.catalog.list(
      listQuery(checkedOptions(options, LIST_OPTIONS, 'list'), this.ports.namespace),
    );
    return { runs: await this.views(runs), lookedAt, ...(next && { cursor: cursorOf(next) }) };
  }

  /** @throws WorkflowNotFoundError */
  async explain(id: string): Promise<WorkflowExplanation> {
    const { steps: reads, insight, roster, holds } = this.ports.storage;
    const run = await this.find(id);
    const seen = await roster.nodes();
    const surroundings = await insight.surroundings(run);
    const steps = await reads.open(id, MOST_LISTED);
    const calls = await this.openCalls(steps);
    const readable = readableRun(run, steps, this.ports.payloads);
    return explainRun({ ...readable, surroundings, seen, calls, holds: await holds.list(this.ports.namespace) });
  }

  private async openCalls(steps: readonly StepRecord[]): Promise<Map<number, CallInSight[]>> {
    const { calls } = this.ports;
    const open = new Map<number, CallInSight[]>();
    const waiting = steps.filter(
      ({ kind, settled, status }) => kind === 'signal' && settled === null && status !== 'answered',
    );
    const operations = waiting.map(({ seq, output }) => ({ seq, operation: readOperation(output) }));
    const read = calls ? operations.filter(({ operation }) => operation).slice(0, MOST_OPERATIONS) : [];
    for (const { seq, operation } of read) open.set(seq, await calls!.open(operation!));
    return open;
  }

  private find(id: string): Promise<RunRecord> {
    return ownRun(this.ports.storage.catalog, this.ports.namespace, checkRunId(id));
  }

  private async views(runs: readonly RunRecord[]): Promise<WorkflowRunStatus[]> {
    if (runs.length === 0) return [];
    const attributes = new Map<string, Record<string, AttributeValue>>(runs.map(({ id }) => [id, {}]));
    for (const { runId, name, value } of await this.ports.storage.insight.attributes([...attributes.keys()]))
      attributes.get(runId)![name] = value;
    return runs.map((run) => viewRun(run, this.ports.payloads, attributes.get(run.id)));
  }

  private async children(id: string, most: number): Promise<WorkflowChildStatus[]> {
    const children = await this.ports.storage.insight.children(id, most);
    const views = await this.views(children);
    return children.map(({ parentClose }, i) => ({ ...views[i]!, parentClose }));
  }
}

/** The most positions of a history that is limited. */
const MOST_POSITIONS = 10_000;

const checkedPositions = (limit: unknown = MOST_POSITIONS) => checkedLimit(limit, MOST_POSITIONS, 'history.limit');

interface StoryPorts {
  storage: Pick<EngineStorage, 'acts' | 'catalog' | 'erasureReads' | 'story'>;
  payloads: Payloads;
  namespace: string;
  /** Undefined if the app has neither effects nor outbox. */
  outgoingStory?: OutgoingStory | undefined;
}

/** Whose story it is, with all runs that these have started; at least one run or attribute. */
export type StoryTarget = RunsTarget;

const STORY_OPTIONS = { payloads: true, limit: true, cursor: true } satisfies KnownOptions<StoryOptions>;

const MOST_RUNS = 1_000;
/** Each costs a statement. */
const MOST_GENERATIONS = 100;
/** Steps of `ctx.publish` whose dead letters are looked for, and calls whose acts are. */
const MOST_OUTGOING = 2_000;

interface Family {
  /** In order. */
  ids: readonly string[];
  /** Not of deleted runs. */
  times: ReadonlyMap<string, RunTimes>;
  complete: boolean;
}

type Next = Omit<MomentQuery, 'runIds'>;

/** Merges what all sources tell of runs. Each returns its next moments; their order is the same everywhere. */
export class ClientStory {
  constructor(private readonly ports: StoryPorts) {}

  /** @throws InvalidArgumentError */
  async story(target: StoryTarget, options: StoryOptions): Promise<Story> {
    const asked = checkedRuns(checkedOptions(target, RUNS_TARGET, 'The target of story'));
    if (asked.ids.length + asked.attributes.length === 0)
      throw new InvalidArgumentError('target', 'nothing', 'id or attribute');
    const {
      payloads: withPayloads = false,
      limit: given = 200,
      cursor,
    } = checkedOptions(options, STORY_OPTIONS, 'story');
    const limit = checkedLimit(given, 1_000);
    const after = cursor === undefined ? undefined : parseCursor(cursor);
    const { ids, times, complete } = await this.familyOf(asked);
    const found = await this.tellings(ids, times, { past: after && momentAmong(ids, after), limit: limit + 1 });
    const page = found.slice(0, limit);
    const entries = await entriesOf(this.ports, page, ids, withPayloads);
    const last = found.length > limit ? page.at(-1)!.moment : undefined;
    return { entries, runs: ids.length, complete, ...(last && { cursor: storyCursorOf(last, ids[last.run]!) }) };
  }

  private async familyOf({ ids, attributes }: ReturnType<typeof checkedRuns>): Promise<Family> {
    const { namespace, storage } = this.ports;
    const limit = MOST_RUNS + 1;
    const having =
      attributes.length === 0 ? [] : await storage.erasureReads.having({ namespace, attributes, after: '', limit });
    const named = [...new Set([...ids, ...having])];
    // What is not looked up is not told of: it may be of another namespace.
    const asked = named.slice(0, limit);
    const found = await storage.story.runs(asked);
    const times = new Map(found.map((run) => [run.id, run]));
    // Deleted runs may have left acts, calls and events.
    const all = new Set(asked.filter((id) => (times.get(id)?.namespace ?? namespace) === namespace));
    const isWhole = await this.addDescendants(all, times);
    const told = [...all].slice(0, MOST_RUNS).sort();
    return { ids: told, times, complete: isWhole && named.length <= limit && all.size <= MOST_RUNS };
  }

  /** Adds what these runs have started, generation by generation. False: there may be more. */
  private async addDescendants(ids: Set<string>, times: Map<string, RunTimes>): Promise<boolean> {
    const { namespace, storage } = this.ports;
    let parentIds = [...ids].filter((id) => times.has(id));
    for (let n = 0; parentIds.length > 0 && ids.size <= MOST_RUNS; n++) {
      // Also those that are known already count, but as many as this are too many in any case.
      const children = await storage.story.children({ namespace, parentIds, limit: MOST_RUNS + 1 });
      const added = children.filter(({ id }) => !ids.has(id));
      if (n === MOST_GENERATIONS && added.length > 0) return false;
      for (const run of added) {
        ids.add(run.id);
        times.set(run.id, run);
      }
      parentIds = added.map(({ id }) => id);
    }
    return true;
  }

  /** What comes next of all sources. */
  private async tellings(ids: readonly string[], times: Family['times'], next: Next): Promise<Telling[]> {
    if (ids.length === 0) return [];
    const { story } = this.ports.storage;
    const own = ids.flatMap((id, run) => (times.has(id) ? momentsOfRun(times.get(id)!, run, STAGE) : []));
    const stored = await story.moments({ runIds: ids, ...next });
    const all = [
      ...[...nextOf(own, next), ...stored].map((moment) => ({ moment })),
      ...(await this.outgoing(ids, next)),
      ...(await this.acts(ids, next)),
    ];
    return all.sort((a, b) => compareMoments(a.moment, b.moment)).slice(0, next.limit);
  }

  private async outgoing(ids: readonly string[], next: Next): Promise<Telling[]> {
    const { effects, deadLetters } = this.ports.outgoingStory ?? {};
    const calls = (await effects?.({ runIds: ids, ...next })) ?? [];
    const letters = deadLetters ? await deadLetters(await this.published(ids), next) : [];
    return [
      ...calls.map((call): Telling => ({ moment: call, tell: (of, runId) => tellEffect(call, runId, of) })),
      ...letters.map((letter): Telling => ({ moment: letter, tell: (of, runId) => tellDead(letter, runId, of) })),
    ];
  }

  private async acts(ids: readonly string[], next: Next): Promise<Telling[]> {
    const { outgoingStory, storage, namespace } = this.ports;
    const runOf = new Map(ids.map((id, run) => [id, run]));
    const entries = (await outgoingStory?.entries?.(ids, MOST_OUTGOING)) ?? [];
    const targets: ActTarget[] = [
      ...ids.map((target, run) => ({ kind: 'run' as const, target, run })),
      ...entries.map(({ runId, entryId }) => ({ kind: 'effect' as const, target: entryId, run: runOf.get(runId)! })),
    ];
    const acts = await storage.acts.story(namespace, targets, next);
    return acts.map((act) => ({ moment: act.moment, tell: (of, runId) => tellAct(act, runId, of) }));
  }

  /** Not each event with each channel: that can be hundreds of thousands for one step. */
  private async published(ids: readonly string[]): Promise<PublishedEvents> {
    const runOf = new Map(ids.map((id, run) => [id, run]));
    const steps = await this.ports.storage.erasureReads.published(ids, undefined, MOST_OUTGOING);
    const read = steps.map(({ runId, output }) => ({ run: runOf.get(runId)!, ...readPublished(output) }));
    return {
      events: read.flatMap(({ run, ids: given }) => [...new Set(given)].map((mutationId) => ({ run, mutationId }))),
      channels: [...new Set(read.flatMap(({ channels }) => channels))],
    };
  }
}

/** A moment without the index of its run, which may be another one on the next page. */
type Cursor = [at: number, runId: string, stage: number, what: number, item: string];

const storyCursorOf = ({ at, stage, what, item }: Moment, runId: string): string =>
  cursorText([at, runId, stage, what, item] satisfies Cursor);

const parseCursor = (cursor: string): Cursor =>
  readCursor<Cursor>(cursor, (parts) => {
    const [at, runId, stage, what, item] = parts;
    const isText = typeof runId === 'string' && typeof item === 'string' && /^[\w-]{1,64}$/.test(item);
    return parts.length === 5 && isText && [at, stage, what].every(Number.isSafeInteger);
  });

/** If the run is gone meanwhile, the page begins with the runs after it. */
function momentAmong(ids: readonly string[], [at, runId, stage, what, item]: Cursor): Moment {
  const next = ids.findIndex((id) => id >= runId);
  if (ids[next] === runId) return { at, run: next, stage, what, item };
  const before = (next === -1 ? ids.length : next) - 1;
  return { at, run: before, stage: Number.MAX_SAFE_INTEGER, what: 0, item: '0' };
}

/** A moment, and what makes an entry of it. Without `tell`: records of the engine, which are read for the whole page. */
interface Telling {
  moment: Moment;
  tell?: (of: TellingOf, runId: string) => StoryEntry;
}

/** The moments of a run itself. */
function momentsOfRun(
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

const OF_STEPS: ReadonlySet<number> = new Set([WHAT.asked, WHAT.attempted, WHAT.ended]);

const nameOf = (runId: string, seq: number, attempt?: number): string => JSON.stringify([runId, seq, attempt ?? null]);

/** Makes the entries of a page. What was deleted since its moment was read is left out. */
async function entriesOf(
  { storage, payloads }: StoryPorts,
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
  { catalog, story }: StoryPorts['storage'],
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
