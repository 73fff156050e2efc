import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from './app/commands.js';
import type { ChildProgram, Refusal } from './child-program.js';
import type { Fleet } from './fleet.js';
import { KINDS } from './kinds/all-kinds.js';
import type { Deed, Kind, Plan } from './kinds/kind.js';
import { probe } from './kinds/probe.js';
import type { Random } from './random.js';

/** One run that was asked for, and what was answered. */
export interface Asked {
  id: string;
  kind: Kind;
  plan: Plan;
  /** Undefined until the start was confirmed. */
  answer?: unknown;
  answers: unknown[];
  /** It was refused in a way that no other try would change. */
  refused?: string;
}

interface HowToBegin {
  random?: Random;
  without?: readonly ChildProgram[];
}

/** What waits to be confirmed, before no more is begun. */
const MOST_WAITING = 150;

/** Begins runs by the seed, and sees to what becomes of them from the outside. */
export class Load {
  readonly asked: Asked[] = [];
  private readonly waiting = new Set<Promise<void>>();
  private isStopped = false;
  /** Nothing is tried any more. */
  private isOver = false;

  constructor(
    private readonly fleet: Fleet,
    private readonly random: Random,
  ) {}

  /** Resolves once {@link stop} was called. */
  async run(perSecond: number): Promise<void> {
    const next = this.random.branch('times');
    for (let n = 0; !this.isStopped; n++) {
      this.begin(n);
      await pause((1_000 / perSecond) * (0.5 + next.next()));
      while (this.waiting.size >= MOST_WAITING && !this.isStopped) await pause(50);
    }
  }

  stop(): void {
    this.isStopped = true;
  }

  /** Resolves to whether all that was asked was answered in time. */
  async settled(withinMs: number): Promise<boolean> {
    const all = Promise.all(this.waiting).then(() => true);
    const inTime = await Promise.race([all, pause(withinMs, false, { ref: false })]);
    this.isOver = true;
    await all;
    return inTime;
  }

  /** A run that tells whether all is well. */
  async probe(name: string): Promise<Asked> {
    const plan = { input: { python: this.fleet.hasPython } };
    const asked: Asked = { id: `probe-${name}`, kind: probe, plan, answers: [] };
    this.asked.push(asked);
    await this.see(asked, this.random.branch(asked.id));
    return asked;
  }

  private begin(n: number): void {
    const random = this.random.branch(n);
    this.one(drawn(random, this.fleet.hasPython), `${n}`, { random });
  }

  /** `without`: through none of these programs. */
  one(kind: Kind, name: string, { random = this.random.branch(name), without = [] }: HowToBegin = {}): Asked {
    const id = `${kind.name.replace('chaos.', '')}-${name}`;
    const asked: Asked = { id, kind, plan: kind.plan(random, id), answers: [] };
    this.asked.push(asked);
    const seen = this.see(asked, random, without).finally(() => this.waiting.delete(seen));
    this.waiting.add(seen);
    return asked;
  }

  private async see(asked: Asked, random: Random, without: readonly ChildProgram[] = []): Promise<void> {
    const { id, kind, plan, answers } = asked;
    const { input, options = {}, order, before = [], deeds = [] } = plan;
    try {
      for (const command of before) await this.tell(command, random);
      const start: Command = order
        ? { do: 'place', workflow: kind.name, input, id, order: id, ...order }
        : { do: 'start', workflow: kind.name, input, options: { ...options, id } };
      asked.answer = await this.tell(start, random, without).catch((error: Refusal) => {
        if (plan.inputMoves && error.code === 'WORKFLOW_ID_CONFLICT') return id;
        throw error;
      });
      for (const deed of deeds) answers.push(await this.deed(deed, random));
    } catch (error) {
      asked.refused = error instanceof Error ? error.message : String(error);
    }
  }

  private async deed({ afterMs, command }: Deed, random: Random): Promise<unknown> {
    await pause(afterMs);
    return this.tell(command, random);
  }

  private tell(command: Command, random: Random, without?: readonly ChildProgram[]): Promise<unknown> {
    return this.fleet.tell(command, random, () => this.isOver, without);
  }
}

function drawn(random: Random, withPython: boolean): Kind {
  const kinds = KINDS.filter(({ name }) => withPython || name !== 'chaos.remote');
  const total = kinds.reduce((sum, { share = 1 }) => sum + share, 0);
  let left = random.next() * total;
  return kinds.find(({ share = 1 }) => (left -= share) < 0) ?? kinds[0]!;
}
