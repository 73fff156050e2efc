import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isFinal, type RunRecord } from '../../../lib/engine/run.js';
import type { RunWrite } from '../../../lib/engine/runs.js';
import type { StepRecord } from '../../../lib/engine/step.js';
import type { PollLoop } from '../../../lib/core/loops.js';
import { macrotask } from '../../../lib/core/time.js';
import type { Transaction } from '../../../lib/core/transaction.js';
import { stepIdOf } from '../../../lib/core/protocol.js';
import { type Body, engineParts, type EngineParts, type EnginePartsOptions } from '../engine-parts.js';
import { memoryStorage, type OpenStorage, workerOn } from '../engine-storage.js';
import { mortal, type PortCall } from '../mortal-storage.js';
import { until } from '../until.js';
import { type Deed, key, type Ledger, program, served, told } from './play.js';
import { type Case, flat } from './programs.js';

/** How a case came out. */
export interface Lived {
  root: RunRecord;
  runs: RunRecord[];
  /** By run. */
  histories: Map<string, StepRecord[]>;
  deeds: Deed[];
  /** What was done although its outcome had been recorded. */
  again: string[];
}

export const ROOT = 'root';
const POLL_MS = 50;

/** Plays a case in memory: processes die, answers come twice, signals early or late, until every run has ended. */
export function live({ body, mishaps }: Case): Promise<Lived> {
  const world = new World({ body, mishaps });
  return livedIn(world, () => world.ended());
}

/** Begins a case, and stops its processes however `ended` ends. */
export function livedIn<T>(world: World, ended: () => Promise<T>): Promise<T> {
  const lived = async () => {
    try {
      await world.begin();
      return await ended();
    } finally {
      await world.close();
    }
  };
  return within(LONGEST_MS, lived());
}

/**
 * Whatever stands still is told of, also where nothing waits for anything. Sooner than the test is given up, which does
 * not name the case; `last-word.ts` says when.
 */
export const LONGEST_MS = 480_000;

function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = new AbortController();
  const overdue = pause(ms, undefined, { signal: late.signal, ref: false }).then(() => {
    throw new Error(`Not over within ${ms} ms`);
  });
  overdue.catch(() => undefined);
  return Promise.race([work, overdue]).finally(() => late.abort());
}

/** The processes of one case, and what is outside of them. */
export class World {
  protected readonly storage: OpenStorage;
  protected readonly ledger: Ledger = { deeds: [], tries: new Map() };
  protected readonly outside: EngineParts;
  protected readonly again: string[] = [];
  protected writes = 0;
  private readonly handlers: Parameters<typeof workerOn>[1];
  /** Where answers come twice, a worker in a process of its own writes them. */
  private readonly apart: { stop(): Promise<void> } | undefined;
  private begun: Promise<void> | undefined;
  private readonly recorded = new Set<string>();
  /** The process that plays it and runs its remote steps, unless it is dead. */
  private alive: { stop(): Promise<unknown> } | undefined;
  private calls = 0;
  private closed = false;

  constructor(
    protected readonly at: Case,
    plain: OpenStorage = memoryStorage(),
  ) {
    this.storage = at.mishaps.twice ? { ...plain, dispatcher: doubling(plain.dispatcher) } : plain;
    this.outside = engineParts(plain);
    this.outside.define('program', this.program());
    const remote = everything(at.body).filter((op) => op.do === 'remote');
    this.handlers = Object.fromEntries(remote.map(({ id }) => [id, served(this.ledger) as never]));
    if (at.mishaps.twice) this.apart = workerOn({ ...plain, source: withoutHandOver(plain.source) }, this.handlers);
    const push = this.ledger.deeds.push.bind(this.ledger.deeds);
    this.ledger.deeds.push = (...deeds: Deed[]) => {
      for (const deed of deeds) if (this.recorded.has(this.markOf(deed))) this.again.push(JSON.stringify(deed));
      return push(...deeds);
    };
  }

  protected program(): Body {
    return program(this.ledger);
  }

  /** What stands for the outcome of a step, and for what is done for it. */
  protected markOf({ what, run, id }: Pick<Deed, 'what' | 'run' | 'id' | 'key'>): string {
    return `${what}/${run}/${id}`;
  }

  /** An engine on a process's own view of the storage. */
  protected process(storage: OpenStorage, nodeId: string, options: EnginePartsOptions = {}): EngineParts {
    return engineParts(storage, { ...options, nodeId, pollMs: POLL_MS, shutdownMs: 50 });
  }

  async begin(): Promise<void> {
    const { body, mishaps } = this.at;
    if (mishaps.early) for (const op of flat(body)) if (op.do === 'signal') await this.tell(ROOT, op.id);
    await this.outside.client.start('program', body, { id: ROOT });
    if (mishaps.cancelAt === 0) await this.outside.client.cancel(ROOT);
    await this.boot();
  }

  async ended(): Promise<Lived> {
    const all = async () => (await this.outside.client.list({ limit: 1_000 })).runs;
    const ended = async () => (await all()).every(({ status }) => isFinal(status));
    await until('all runs to end', ended).catch(async (error: Error) => {
      const states = (await all()).map(({ id, status, reason, reasonDetail }) => [id, status, reason, reasonDetail]);
      throw new Error(`${error.message}: ${JSON.stringify(states)}`);
    });
    const ids = (await all()).map(({ id }) => id);
    const runs = await this.storage.catalog.find(ids);
    const histories = new Map<string, StepRecord[]>();
    for (const id of ids) histories.set(id, await this.storage.catalog.steps(id));
    const root = runs.find(({ id }) => id === ROOT)!;
    return { root, runs, histories, deeds: this.ledger.deeds, again: this.again };
  }

  async close(): Promise<void> {
    this.closed = true;
    // What is stopped before it has begun begins all the same.
    await this.begun;
    await Promise.all([this.apart?.stop(), this.outside.stop(), this.alive?.stop()]);
  }

  protected tell(run: string, id: string, seq = 0): Promise<unknown> {
    return this.outside.client.signal(told, `payload of ${id}`, {
      key: key(run, { id }),
      id: this.signalOf(run, id, seq),
    });
  }

  protected signalOf(run: string, id: string, _seq: number): string {
    return `${run}/${id}`;
  }

  private async boot(): Promise<void> {
    const nodeId = randomUUID();
    let alive = true;
    let buried!: () => void;
    const death = new Promise<void>((resolve) => (buried = resolve));
    const die = () => {
      alive = false;
      buried();
      this.alive = undefined;
      kill();
      parts.die();
      for (const loop of Object.values(worker?.loops ?? {})) void (loop as PollLoop).stop();
      void worker?.stop();
      void settled('roster', 'source.claim').then(() => this.takeOver(nodeId));
    };
    const crashes = (when: 'before' | 'after') =>
      alive &&
      !this.closed &&
      this.at.mishaps.crashes.some((crash) => crash.when === when && crash.write === this.writes);
    // Only storage in memory cannot roll back.
    const wholeTransactions = this.storage.executor === undefined;
    const { storage, kill, settled } = mortal(this.storage, {
      before: async (call) => {
        await this.delay();
        if (call !== 'store.commit') return;
        this.writes++;
        if (crashes('before')) die();
      },
      after: async (call: PortCall, args, answer) => {
        if (call !== 'store.commit') return;
        const lost = answer as readonly RunWrite[];
        const written = (args[0] as readonly RunWrite[]).filter((write) => !lost.includes(write));
        const tx = args[2] as Transaction | undefined;
        if (tx && !wholeTransactions) tx.afterCommit(() => void this.wrote(written));
        else await this.wrote(written);
        if (crashes('after')) die();
      },
      wholeTransactions,
    });
    const parts = this.process(storage, nodeId);
    parts.define('program', this.program());
    const ofWorker = { ...storage, source: failingAfter(death, storage.source) };
    const worker = this.apart ? undefined : workerOn(ofWorker, this.handlers, { workerId: nodeId });
    this.alive = { stop: () => Promise.all([worker?.stop(), parts.stop()]) };
    // It may die before it has begun.
    this.begun = Promise.race([parts.start(), death]);
    await this.begun;
  }

  /** What its leases would bring about later. */
  private async takeOver(dead: string): Promise<void> {
    const { roster } = this.storage;
    await roster.leave(dead);
    await roster.reap(1_000);
    await this.storage.lapse(dead);
    this.storage.tellDue();
    if (!this.closed) await this.boot();
  }

  private async delay(): Promise<void> {
    const { delays } = this.at.mishaps;
    for (let n = delays[this.calls++ % Math.max(1, delays.length)] ?? 0; n > 0; n--) await macrotask();
  }

  /** What was written, before its process hears of it. */
  protected async wrote(writes: readonly RunWrite[]): Promise<void> {
    if (this.writes === this.at.mishaps.cancelAt) await this.outside.client.cancel(ROOT);
    for (const { runId, steps } of writes) {
      for (const step of steps) {
        if (step.status === 'completed') this.recorded.add(this.markOf(deedOf(runId, step)));
        // Of those that may time out, some are never told.
        const isAwaited = step.kind === 'signal' && step.settled === null && step.name.length % 2 === 0;
        if (isAwaited || (step.kind === 'signal' && this.mustTell(step.name)))
          await this.tell(runId, step.name, step.seq);
      }
    }
  }

  private mustTell(id: string): boolean {
    return everything(this.at.body).some((op) => op.id === id && op.do === 'signal' && op.timeoutMs === null);
  }
}

const deedOf = (run: string, { seq, name: id }: StepRecord): Deed => ({
  what: seq < 0 ? 'undid' : 'did',
  run,
  id,
  key: stepIdOf(run, seq),
});

/** Those of children too. */
const everything = (ops: Case['body']): Case['body'] =>
  flat(ops).flatMap((op) => [
    op,
    ...(op.do === 'child' ? everything(op.body) : []),
    ...(op.do === 'children' ? op.bodies.flatMap(everything) : []),
  ]);

/** What a dead worker asks fails, so that it stops and leaves no timers. */
const failingAfter = (death: Promise<void>, source: OpenStorage['source']): OpenStorage['source'] =>
  new Proxy(source, {
    get: (target, name: keyof OpenStorage['source']) => {
      const member = target[name];
      if (typeof member !== 'function') return member;
      const call = (member as (...args: unknown[]) => unknown).bind(target);
      if (/^on[A-Z]|^handBack$/.test(name)) return call;
      const died = () => death.then(() => Promise.reject(new Error('The process was killed')));
      return (...args: unknown[]) => Promise.race([call(...args), died()]);
    },
  });

/** As a worker of another process sees it. */
const withoutHandOver = (source: OpenStorage['source']): OpenStorage['source'] =>
  new Proxy(source, {
    get: (target, name: keyof OpenStorage['source']) => {
      if (name === 'onOffers' || name === 'handBack') return undefined;
      const member = target[name];
      return typeof member === 'function' ? (member as (...args: unknown[]) => unknown).bind(target) : member;
    },
  });

/** Every answer is read twice, and told of twice. */
function doubling(dispatcher: OpenStorage['dispatcher']): OpenStorage['dispatcher'] {
  return new Proxy(dispatcher, {
    get: (target, name: keyof OpenStorage['dispatcher']) => {
      if (name === 'peek')
        return async (...args: Parameters<typeof dispatcher.peek>) => {
          const { answers, cursor } = await target.peek(...args);
          return { answers: answers.flatMap((answer) => [answer, { ...answer }]), cursor };
        };
      if (name === 'onAnswers')
        return (listener: Parameters<typeof dispatcher.onAnswers>[0]) =>
          target.onAnswers((answers) => {
            listener(answers);
            listener(answers);
          });
      const member = target[name] as (...args: unknown[]) => unknown;
      return member.bind(target);
    },
  });
}
