import type { ActTarget } from '../../acts/act-log.js';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { compareMoments, type Moment, type MomentQuery, nextOf, STAGE } from '../../protocol/moment.js';
import { checkLimit } from '../insight/list-query.js';
import type { Story, StoryOptions } from '../insight/story-entry.js';
import { entriesOf, momentsOfRun, type Telling } from '../insight/story-page.js';
import { tellAct, tellDead, tellEffect } from '../insight/story-views.js';
import type { EngineStorage } from '../model/engine-storage.js';
import { readPublished } from '../model/outgoing.js';
import type { Payloads } from '../model/payloads.js';
import type { OutgoingStory, PublishedEvents, RunTimes } from '../model/story.js';
import { checkedRuns, RUNS_TARGET, type RunsTarget } from './client-erasure.js';
import { checkedOptions, type KnownOptions } from '../../options/known-options.js';

interface Ports {
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
  constructor(private readonly ports: Ports) {}

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
    const limit = checkLimit(given);
    const after = cursor === undefined ? undefined : parseCursor(cursor);
    const { ids, times, complete } = await this.familyOf(asked);
    const found = await this.tellings(ids, times, { past: after && momentAmong(ids, after), limit: limit + 1 });
    const page = found.slice(0, limit);
    const entries = await entriesOf(this.ports, page, ids, withPayloads);
    const last = found.length > limit ? page.at(-1)!.moment : undefined;
    return { entries, runs: ids.length, complete, ...(last && { cursor: cursorOf(last, ids[last.run]!) }) };
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

const cursorOf = ({ at, stage, what, item }: Moment, runId: string): string =>
  Buffer.from(JSON.stringify([at, runId, stage, what, item] satisfies Cursor)).toString('base64url');

function parseCursor(cursor: string): Cursor {
  try {
    const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as Cursor;
    const [at, runId, stage, what, item] = parts;
    const isText = typeof runId === 'string' && typeof item === 'string' && /^[\w-]{1,64}$/.test(item);
    if (parts.length === 5 && isText && [at, stage, what].every(Number.isSafeInteger)) return parts;
  } catch {
    // The error is thrown below.
  }
  throw new InvalidArgumentError('cursor', cursor, 'the cursor of the previous page');
}

/** If the run is gone meanwhile, the page begins with the runs after it. */
function momentAmong(ids: readonly string[], [at, runId, stage, what, item]: Cursor): Moment {
  const next = ids.findIndex((id) => id >= runId);
  if (ids[next] === runId) return { at, run: next, stage, what, item };
  const before = (next === -1 ? ids.length : next) - 1;
  return { at, run: before, stage: Number.MAX_SAFE_INTEGER, what: 0, item: '0' };
}
