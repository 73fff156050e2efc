import { setTimeout as pause } from 'node:timers/promises';
import type { Arena, Fault } from './arena.js';
import type { ChaosServer } from './chaos-server.js';
import type { Trouble } from './check/violation.js';
import type { ChildProgram } from './child-program.js';
import { monotonicMs } from './clock.js';
import type { Fleet } from './fleet.js';
import { probe } from './kinds/probe.js';
import { published } from './kinds/published.js';
import type { Asked, Load } from './load.js';
import type { Random } from './random.js';

/** One fault that was made. */
export interface Strike extends Trouble {
  /** From its end until a run that began then had completed; undefined when it had not in time. */
  recoveryMs: number | undefined;
  /** Of a fault that stood for a while: how long the run took that took longest of those that began meanwhile. */
  longestRunMs?: number;
  /** It could not be made, or not be ended. */
  problem?: string;
}

export interface StrikesOptions {
  server: ChaosServer;
  fleet: Fleet;
  load: Load;
  random: Random;
  faults: readonly Fault[];
  say: (text: string) => void;
}

/** After that the app counts as not having come back. */
const RECOVERY_MS = 90_000;

/** While a fault stands, so long a run begins every second. */
const STANDING_S = 25;

/** Makes faults by the seed, one after the other, and after each waits until all is well. */
export class Strikes {
  readonly made: Strike[] = [];
  /** Faults that cannot be made here, and why. */
  readonly lacking = new Map<string, string>();

  constructor(private readonly options: StrikesOptions) {}

  async run(untilMs: number): Promise<void> {
    const faults = this.options.faults.filter((fault) => this.isPossible(fault));
    for (let n = 0; monotonicMs() < untilMs && faults.length > 0; n++) {
      const round = this.options.random.branch(`round ${Math.floor(n / faults.length)}`);
      const fault = round.shuffled(faults)[n % faults.length]!;
      await this.strike(fault, n);
    }
  }

  private isPossible(fault: Fault): boolean {
    const reason = fault.lacks?.(this.arena(this.options.random));
    if (reason !== undefined) this.lacking.set(fault.name, reason);
    return reason === undefined;
  }

  private arena(random: Random, name = ''): Arena {
    const { server, fleet, load } = this.options;
    return { server, fleet, random, begin: (kind) => void load.one(kind, name) };
  }

  private async strike(fault: Fault, n: number): Promise<void> {
    const { fleet, random: all, say } = this.options;
    const random = all.branch(`fault ${n}`);
    const arena = this.arena(random, `of-fault-${n}`);
    await pause(random.whole(300, 1_500));
    const victims = fault.victims?.(arena) ?? fleet.programs;
    const isAll = victims.length === fleet.programs.length;
    const pids = new Set(victims.map(({ pid }) => pid));
    say(`${fault.name} (${isAll ? 'all' : victims.map(({ name }) => name).join(', ') || 'none'})`);
    const strike: Strike = {
      fault: fault.name,
      from: monotonicMs(),
      to: Number.POSITIVE_INFINITY,
      pids: isAll ? undefined : pids,
      recoveryMs: undefined,
    };
    this.made.push(strike);
    try {
      await fault.strike(arena, victims);
      if (fault.end) {
        strike.longestRunMs = await this.inSpiteOf(`${n}-${fault.name}`, victims);
        fault.end(victims);
      }
    } catch (error) {
      strike.problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
      say(`${fault.name} could not be made: ${strike.problem}`);
    }
    fleet.calm();
    strike.to = monotonicMs();
    for (const { pid } of victims) pids.add(pid);
    strike.recoveryMs = await this.recovery(`${n}-${fault.name}`, strike.to);
    const { longestRunMs } = strike;
    if (longestRunMs !== undefined) say(`${fault.name}: meanwhile no run took longer than ${longestRunMs} ms`);
    say(`${fault.name}: back after ${strike.recoveryMs?.toFixed(0) ?? `more than ${RECOVERY_MS}`} ms`);
  }

  /** Begins runs that need workers, and the rows that all processes lock; none through the victims. */
  private async inSpiteOf(name: string, victims: readonly ChildProgram[]): Promise<number> {
    const { server, load } = this.options;
    const begun: Asked[] = [];
    for (let n = 0; n < STANDING_S; n++) {
      begun.push(load.one(n % 2 === 0 ? probe : published, `${name}-${n}`, { without: victims }));
      await pause(1_000);
    }
    const ids = begun.map(({ id }) => id);
    const text = `SELECT finished_at - created_at AS took FROM durable_runs
      WHERE id IN (${ids.map(() => '?').join(', ')}) AND finished_at IS NOT NULL`;
    for (const until = monotonicMs() + RECOVERY_MS; ; await pause(250)) {
      const ended = await server.query(text, ids);
      if (ended.length === ids.length) return Math.max(...ended.map(({ took }) => Number(took)));
      if (monotonicMs() > until) return Number.POSITIVE_INFINITY;
    }
  }

  private async recovery(name: string, sinceMs: number): Promise<number | undefined> {
    const { server, load } = this.options;
    const begun = load.probe(name);
    while (monotonicMs() < sinceMs + RECOVERY_MS) {
      await pause(50);
      const text = 'SELECT id FROM durable_runs WHERE id = ? AND finished_at IS NOT NULL';
      const [run] = await server.query(text, [`probe-${name}`]).catch(() => []);
      if (!run) continue;
      await begun;
      return monotonicMs() - sinceMs;
    }
    return undefined;
  }
}
