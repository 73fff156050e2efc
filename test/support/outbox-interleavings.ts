import fc from 'fast-check';
import type { OutboxEvent } from '../../lib/outbox/events.js';
import { OutboxRelay } from '../../lib/outbox/relay.js';
import { type RelayStorage, relayNodeId } from '../../lib/outbox/storage.js';
import { intercepted } from '../../lib/testing/crash-explorer.js';
import type { ManualClock } from '../../lib/core/time.js';
import { type Gate, gate } from './gate.js';
import { relayOptions } from './relays.js';

/** By a clock in the test's hand; a third of it, the time for a call, is real, and longer than anybody stands still. */
const LEASE_MS = 240_000;
const NODES = 3;

export interface Put {
  channel: string;
  poison: boolean;
}

/** What happens to a process on the way: nothing, or its end or a stop before or after its `nth` call of anything. */
interface Mishap {
  kind: 'none' | 'crash' | 'stall';
  nth: number;
  after: boolean;
}

export type Step =
  | { kind: 'commit' | 'rollback'; puts: readonly Put[] }
  | { kind: 'run'; node: number; mishap: Mishap }
  | { kind: 'together'; mishaps: readonly Mishap[] }
  | { kind: 'resume' | 'lapse' | 'ghost' };

const put = fc.record({
  channel: fc.constantFrom('a', 'b', 'c', 'd'),
  poison: fc.integer({ min: 0, max: 7 }).map((n) => n === 0),
});
const puts = fc.array(put, { minLength: 1, maxLength: 6 });
const mishap = fc.record({
  kind: fc.constantFrom('none', 'crash', 'crash', 'stall', 'stall'),
  nth: fc.integer({ min: 1, max: 25 }),
  after: fc.boolean(),
}) as fc.Arbitrary<Mishap>;

/** Any interleaving of commits, rollbacks, crashes, stops, changes of membership and events that cannot be delivered. */
export const interleavings = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('commit'), puts }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('rollback'), puts }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('run'), node: fc.nat(NODES - 1), mishap }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('together'), mishaps: fc.array(mishap, { maxLength: 3 }) }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('resume', 'lapse', 'ghost') }) },
  ),
  { minLength: 4, maxLength: 25 },
) as fc.Arbitrary<Step[]>;

/** Where events are written, and relays find their ports. */
export interface OutboxUnderTest {
  clock: ManualClock;
  storage(): RelayStorage;
  /** In one transaction. */
  write(puts: readonly Put[], commits: boolean): Promise<void>;
  /** Numbers of all events that committed, by channel and in order; those of poison are marked. */
  committed(): Promise<{ channel: string; id: string; poison: boolean }[]>;
  /** What is wrong in the tables, once all is delivered. */
  leftovers(): Promise<string[]>;
}

const never = () => new Promise<never>(() => undefined);

/** One process that publishes: it may end or stop at any of its calls. */
class Process {
  private calls = 0;
  private readonly ended = gate();
  private readonly stopped = gate();
  private readonly goesOn: Gate = gate();
  private dead = false;
  private readonly relay: OutboxRelay;
  private over: Promise<unknown> = Promise.resolve();

  constructor(
    world: Interleaving,
    { clock, storage }: OutboxUnderTest,
    private readonly mishap: Mishap,
  ) {
    const around = (_: string, call: () => unknown) => this.through(call);
    const ports = intercepted(storage() as RelayStorage & Record<string, object>, around);
    // What is called waits for an end with a timer, so it is told of one, and cannot tell anybody else.
    const told = () => Promise.reject(new Error('gone'));
    const deliver = (events: readonly OutboxEvent[]) =>
      this.through(() => world.deliver(events), told) as Promise<void>;
    const policy = { onPoison: 'park', attempts: 2, backoff: { delay: 0 }, crashes: 1_000 } as const;
    const options = { leaseMs: LEASE_MS, publishTimeoutMs: LEASE_MS / 3, eventsPerChannel: 4, policy, elapsed: clock };
    const signals = { live: true, subscribe: () => () => undefined };
    const observer = { error: (error: unknown) => void world.errors.push(String(error)) };
    const destination = { name: 'broker', batchSize: 2, deliver };
    this.relay = new OutboxRelay(ports, [destination], signals, observer, relayOptions('any', options), clock);
  }

  /** Publishes all it can; resolves early when it has died or stands still. */
  run(): Promise<unknown> {
    // Its timers go by a clock that stands still: they would never be due.
    this.over = Promise.race([this.relay.runOnce(), this.ended.opened]).finally(() => this.relay['timers'].stop());
    return Promise.race([this.over, this.stopped.opened]);
  }

  resume(): Promise<unknown> {
    this.goesOn.open();
    return this.over;
  }

  private async through(call: () => unknown, gone: () => Promise<unknown> = never): Promise<unknown> {
    const { kind, nth, after } = this.mishap;
    if (this.dead) return gone();
    const isHere = ++this.calls === nth && kind !== 'none';
    if (isHere && !after) await this.suffer(kind);
    if (this.dead) return gone();
    const answer = await call();
    if (isHere && after) await this.suffer(kind);
    // Of those under way when another call was its last, none gets an answer.
    return this.dead ? gone() : answer;
  }

  private async suffer(kind: Mishap['kind']): Promise<void> {
    if (kind === 'stall') {
      this.stopped.open();
      return this.goesOn.opened;
    }
    this.dead = true;
    // It would go on for ever: of what it waits for, nothing is answered any more.
    void this.relay['beats'].stop();
    this.ended.open();
  }
}

/** Plays steps, and tells what contradicts: what was applied is what committed, but for what was put aside. */
export class Interleaving {
  readonly errors: string[] = [];
  private readonly applied = new Map<string, string[]>();
  private stalled: Process[] = [];

  constructor(private readonly outbox: OutboxUnderTest) {}

  /** As an inbox does: each number once, and none below one that was applied. */
  deliver(events: readonly OutboxEvent[]): void {
    if (events.some(({ name }) => name === 'poison')) throw new Error('refused');
    for (const { channel, sequenceId } of events) {
      const before = this.applied.get(channel) ?? [];
      if (BigInt(sequenceId) > BigInt(before.at(-1) ?? 0)) this.applied.set(channel, [...before, sequenceId]);
    }
  }

  async play(steps: readonly Step[]): Promise<void> {
    for (const step of steps) await this.take(step);
    await this.resume();
    // Whoever died is forgotten, and one that is well publishes the rest.
    for (let n = 0; n < 4; n++) {
      this.outbox.clock.advance(2 * LEASE_MS + 1);
      await this.run([{ kind: 'none', nth: 1, after: false }]);
    }
  }

  async contradictions(): Promise<string[]> {
    const { outbox, applied, errors } = this;
    const committed = await outbox.committed();
    const dead = await outbox.storage().deadLetters.list({ destination: 'broker', limit: 1_000 });
    const wrong = [...errors, ...(await outbox.leftovers())];
    const poison = committed.filter((event) => event.poison).map(({ id }) => id);
    expectSame(wrong, 'put aside', dead.map(({ sequenceId }) => sequenceId).sort(), poison.sort());
    for (const channel of new Set(committed.map((event) => event.channel))) {
      const wanted = committed.filter((event) => event.channel === channel && !event.poison).map(({ id }) => id);
      expectSame(wrong, `of ${channel} applied`, applied.get(channel) ?? [], wanted);
    }
    for (const channel of applied.keys())
      if (!committed.some((event) => event.channel === channel)) wrong.push(`${channel} was never written to`);
    return wrong;
  }

  private async take(step: Step): Promise<void> {
    if (step.kind === 'commit' || step.kind === 'rollback') return this.outbox.write(step.puts, step.kind === 'commit');
    if (step.kind === 'run') return this.run([step.mishap]);
    if (step.kind === 'together') return this.run(step.mishaps);
    if (step.kind === 'resume') return this.resume();
    if (step.kind === 'lapse') return this.outbox.clock.advance(LEASE_MS + 1);
    // Somebody who lives, and should have some of the shards, but takes none.
    await this.outbox.storage().nodes.beat(relayNodeId('ghost'), LEASE_MS);
  }

  private async run(mishaps: readonly Mishap[]): Promise<void> {
    const processes = mishaps.map((each) => new Process(this, this.outbox, each));
    this.stalled.push(...processes);
    await Promise.all(processes.map((process) => process.run()));
  }

  private async resume(): Promise<void> {
    await Promise.all(this.stalled.splice(0).map((process) => process.resume()));
  }
}

function expectSame(wrong: string[], what: string, found: readonly string[], wanted: readonly string[]): void {
  if (found.join() !== wanted.join()) wrong.push(`${what}: ${found.join()} in place of ${wanted.join()}`);
}
