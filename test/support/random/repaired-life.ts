import type { Act as RecordedAct } from '../../../lib/acts/acts.js';
import { HeldNames } from '../../../lib/acts/holds.js';
import { stepIdOf } from '../../../lib/core/protocol.js';
import type { RunHooks, RunNews } from '../../../lib/engine/endings.js';
import type { AttemptRecord } from '../../../lib/engine/insight.js';
import { BLOCK_REASONS, isFinal, type RunRecord } from '../../../lib/engine/run.js';
import type { RunWrite } from '../../../lib/engine/runs.js';
import type { CheckedEvent, StepRecord } from '../../../lib/engine/step.js';
import type { Body, EngineParts } from '../engine-parts.js';
import { memoryStorage, type OpenStorage } from '../engine-storage.js';
import { until } from '../until.js';
import { livedIn, LONGEST_MS, World } from './life.js';
import { type Done, Operators } from './operators.js';
import type { Deed } from './play.js';
import type { RepairedCase } from './repairs.js';

/** How a case came out that operators have interfered with. */
export interface Repaired {
  runs: RunRecord[];
  histories: Map<string, StepRecord[]>;
  attempts: Map<string, AttemptRecord[]>;
  /** Of each run that still has something that an erasure must remove. */
  left: string[];
  acts: RecordedAct[];
  done: Done[];
  deeds: Deed[];
  again: string[];
  /** What hooks were told, in its order. */
  news: RunNews[];
  /** The outcome with which each step completed first, by its id. */
  outcomes: Map<string, string>;
  /** With which attempts steps had none left, by their ids and names: a run that begins anew may use a position again. */
  exhausted: Map<string, Set<number>>;
  /** What engines did while everything was held. */
  whileHeld: Deed[];
}

/** Further in the future than anything that a case waits for. */
const LONG_MS = 5_000;
const KEPT = { workflow: 'program' };
/** Who puts everything right at the end. */
export const ON_DUTY = 'on duty';
const AT_THE_END = { actor: ON_DUTY, reason: 'at the end' };
const MOST_ROUNDS = 40;

/** Plays a case in an empty storage: operators act at any moment, until every run has ended. */
export function liveRepaired(one: RepairedCase, storage: OpenStorage = memoryStorage()): Promise<Repaired> {
  const world = new RepairedWorld(one, storage);
  return livedIn(world, () => world.repaired());
}

/** A storage whose hooks write down what they are told once that is committed. */
function toldOn(storage: OpenStorage): OpenStorage & { hooks: Hooks } {
  return { ...storage, hooks: new Hooks() };
}

class Hooks implements RunHooks {
  readonly news: RunNews[] = [];

  async look(): Promise<void> {}

  /** The news itself: this world has no outbox. */
  eventOf(news: RunNews): CheckedEvent {
    return news as unknown as CheckedEvent;
  }

  async tell(news: RunNews, tx: Parameters<RunHooks['tell']>[1]): Promise<void> {
    tx.afterCommit(() => this.news.push(news));
  }
}

/** A retried one keeps its reason until it is played. */
const isBlocked = ({ reason, wakeAt }: RunRecord): boolean =>
  BLOCK_REASONS.some((known) => known === reason) && (wakeAt === null || wakeAt > Date.now());

class RepairedWorld extends World {
  private readonly hooks: Hooks;
  private readonly operators: Operators;
  private readonly underWay: Promise<unknown>[] = [];
  private readonly outcomes = new Map<string, string>();
  private readonly exhausted = new Map<string, Set<number>>();
  private readonly whileHeld: Deed[] = [];
  private timed: RepairedCase['acts'];
  /** What the process knows to be held. */
  private known: HeldNames | undefined;

  constructor(
    private readonly one: RepairedCase,
    plain: OpenStorage,
  ) {
    const storage = toldOn(plain);
    super(one, storage);
    this.hooks = storage.hooks;
    this.timed = one.acts;
    const { catalog } = storage;
    this.operators = new Operators(this.outside.client, {
      runs: () => this.all(),
      steps: (id) => catalog.steps(id),
    });
  }

  protected override program(): Body {
    const body = super.program();
    return (ctx, input) => {
      ctx.setAttributes({ about: ctx.workflowId });
      ctx.log.info(`begins ${ctx.workflowId}`);
      return body(ctx, input);
    };
  }

  protected override markOf({ what, run, id, key }: Deed): string {
    return key === undefined ? `unknown/${run}/${id}` : `${what}/${key}`;
  }

  /** Each wait of each life is told by a signal of its own. */
  protected override signalOf(run: string, id: string, seq: number): string {
    return `${run}/${id}/${seq}`;
  }

  protected override process(storage: OpenStorage, nodeId: string): EngineParts {
    const held = new HeldNames(storage.holds, { namespace: '', notified: () => true, onError: () => undefined });
    this.known = held;
    const parts = super.process(storage, nodeId, { held });
    return {
      ...parts,
      start: () => held.start().then(() => parts.start()),
      stop: async () => void (await Promise.all([held.stop(), parts.stop()])),
      die: () => {
        void held.stop();
        parts.die();
      },
    };
  }

  protected override async wrote(writes: readonly RunWrite[]): Promise<void> {
    for (const { runId, steps, extras } of writes) {
      for (const step of steps) this.note(runId, step);
      this.hooks.news.push(...((extras?.tells ?? []) as unknown as RunNews[]));
    }
    await super.wrote(writes);
    const due = this.timed.filter(({ at }) => at <= this.writes);
    this.timed = this.timed.filter((act) => !due.includes(act));
    for (const { act, waits } of due) {
      const performed = this.operators.perform(act, true);
      this.underWay.push(performed);
      performed.catch(() => undefined);
      if (waits) await performed;
    }
  }

  private note(runId: string, { seq, kind, name, status, output, attempt }: StepRecord): void {
    const id = stepIdOf(runId, seq);
    if (status === 'completed' && kind !== 'marker' && !this.outcomes.has(id)) this.outcomes.set(id, `${output}`);
    if (kind === 'transaction' || kind === 'child' || (status !== 'failed' && status !== 'exhausted')) return;
    const key = `${id}/${name}`;
    this.exhausted.set(key, (this.exhausted.get(key) ?? new Set()).add(attempt));
  }

  async repaired(): Promise<Repaired> {
    await this.stillness();
    for (const act of this.one.later) {
      const isHeld = await this.held();
      const [since, before] = [this.ledger.deeds.length, this.operators.done.length];
      await this.operators.perform(act);
      await this.stillness();
      const isLifted = this.operators.done.slice(before).some(({ act: how }) => how === 'lift');
      if (isHeld && !isLifted)
        this.whileHeld.push(...this.ledger.deeds.slice(since).filter(({ remotely }) => !remotely));
    }
    await this.mend();
    return this.report();
  }

  private async held(): Promise<boolean> {
    return (await this.outside.client.holds()).length > 0;
  }

  private async all(): Promise<RunRecord[]> {
    const ids = (await this.outside.client.list({ limit: 1_000 })).runs.map(({ id }) => id).sort();
    return this.storage.catalog.find(ids);
  }

  /** Each run has ended, or stands still for a reason that people can see. */
  private async stillness(): Promise<void> {
    await Promise.all(this.underWay);
    const isKnown = async () => this.known?.isHeld('workflow', KEPT.workflow) === (await this.held());
    // A step that runs in its process may have no record yet.
    let seen = -1;
    const isQuiet = () => seen === (seen = this.writes);
    const stands = async () => isQuiet() && (await isKnown()) && (await this.moving()).length === 0;
    // Longer than any pause of a machine, and sooner than the case is given up, which says nothing of what has not.
    await until('all runs to stand still', stands, { withinMs: LONGEST_MS / 2 }).catch(async (error: Error) => {
      const moving = await this.moving();
      const whys = await Promise.all(moving.map(({ id }) => this.outside.client.explain(id)));
      throw new Error(`${error.message}: ${JSON.stringify(whys)}`);
    });
  }

  private async moving(): Promise<RunRecord[]> {
    const runs = new Map((await this.all()).map((run) => [run.id, run]));
    const isHeld = await this.held();
    const stands = new Map<string, boolean>();
    const standsStill = async (run: RunRecord): Promise<boolean> => {
      if (isFinal(run.status) || isBlocked(run)) return true;
      if (isHeld && run.owner === null) return true;
      const steps = await this.storage.catalog.steps(run.id);
      const open = steps.filter(({ settled, kind }) => settled === null && kind !== 'marker');
      const stuck = await Promise.all(open.map((step) => this.isStuck(step, runs, standsStill)));
      return stuck.length > 0 && stuck.every(Boolean);
    };
    for (const run of runs.values()) stands.set(run.id, await standsStill(run));
    return [...runs.values()].filter(({ id }) => !stands.get(id));
  }

  private async isStuck(
    { kind, ref, wakeAt }: StepRecord,
    runs: ReadonlyMap<string, RunRecord>,
    standsStill: (run: RunRecord) => Promise<boolean>,
  ): Promise<boolean> {
    if (wakeAt !== null && wakeAt > Date.now() + LONG_MS) return true;
    const child = kind === 'child' && ref !== null ? runs.get(ref) : undefined;
    return child !== undefined && !isFinal(child.status) && standsStill(child);
  }

  /** Lifts what is held, and retries what is blocked or put off, until everything has ended. */
  private async mend(): Promise<void> {
    const { client } = this.outside;
    this.timed = [];
    await this.stillness();
    await client.lift(KEPT, AT_THE_END);
    for (let round = 0; round < MOST_ROUNDS; round++) {
      await this.stillness();
      const open = (await this.all()).filter(({ status }) => !isFinal(status));
      if (open.length === 0) return;
      for (const { id, reason } of open) {
        if (reason !== null) await this.onDuty(() => client.retry(id, AT_THE_END));
        for (const { seq, settled, wakeAt } of await this.storage.catalog.steps(id))
          if (settled === null && wakeAt !== null && wakeAt > Date.now() + LONG_MS)
            await this.onDuty(() => client.runNow(id, seq, AT_THE_END));
      }
    }
    const open = (await this.all()).filter(({ status }) => !isFinal(status));
    const steps = await Promise.all(open.map(({ id }) => this.storage.catalog.steps(id)));
    throw new Error(`Not mended after ${MOST_ROUNDS} rounds: ${JSON.stringify([open, steps])}`);
  }

  /** It may have gone on by itself. */
  private async onDuty(work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: { code?: string }) => {
      if (error.code !== 'WORKFLOW_NOT_RETRYABLE' && error.code !== 'STEP_NOT_EDITABLE') throw error;
    });
  }

  private async report(): Promise<Repaired> {
    const erased = this.operators.done.filter(({ act, refused }) => act === 'erase' && !refused);
    const ids = [...new Set(erased.map(({ run }) => run!))];
    if (ids.length > 0) await this.outside.client.erase({ id: ids }, AT_THE_END);
    const runs = await this.all();
    const { catalog, insight, acts } = this.storage;
    const histories = new Map<string, StepRecord[]>();
    const attempts = new Map<string, AttemptRecord[]>();
    for (const { id } of runs) {
      histories.set(id, await catalog.steps(id));
      attempts.set(id, await insight.attempts(id));
    }
    return {
      runs,
      histories,
      attempts,
      left: (await Promise.all(ids.map((id) => this.leftOf(id)))).flat(),
      acts: (await acts.list({ namespace: '', limit: 10_000 })).acts,
      done: this.operators.done,
      deeds: this.ledger.deeds,
      again: this.again,
      news: this.hooks.news,
      outcomes: this.outcomes,
      exhausted: this.exhausted,
      whileHeld: this.whileHeld,
    };
  }

  /** What an erasure has left of a run. */
  private async leftOf(id: string): Promise<string[]> {
    const { catalog, insight } = this.storage;
    const [run] = await catalog.find([id]);
    const texts = [run, ...(await catalog.steps(id)), ...(await insight.attempts(id))].flatMap((one) => [
      ...(one && 'input' in one ? [one.input ?? null] : []),
      ...(one && 'customStatus' in one ? [one.customStatus] : []),
      ...(one && 'output' in one ? [one.output] : []),
      one?.error ?? null,
    ]);
    const notes = [...(await insight.logs(id)), ...(await insight.attributes([id]))];
    return [...texts.filter((text) => text !== null), ...notes].map((what) => `${id}: ${JSON.stringify(what)}`);
  }
}
