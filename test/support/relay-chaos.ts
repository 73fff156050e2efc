import type { OpenBackend } from './backends.js';
import type { Program } from './programs.js';
import { relayNodeOf } from './relay-program.js';
import { until } from './until.js';

const ACTS = ['kill', 'join', 'stop', 'leave'] as const;

/** Relays as processes that are killed, stopped, sent away and joined by others, while they publish. */
export class RelayChaos {
  readonly done = { kill: 0, join: 0, stop: 0, leave: 0 };
  /** How many of those that were stopped have said since that they had lost shards. */
  noticed = 0;
  private readonly living = new Set<Program>();

  constructor(
    private readonly backend: OpenBackend,
    private readonly begin: () => Program,
  ) {}

  async join(): Promise<void> {
    const program = this.begin();
    this.living.add(program);
    await until('it has started', () => relayNodeOf(program));
  }

  /** Each act in turn, `rounds` times, with so many publications between them. */
  async run(rounds: number, publications: number): Promise<void> {
    for (let n = 0; n < rounds * ACTS.length; n++) {
      const act = ACTS[n % ACTS.length] ?? 'kill';
      const before = await this.published();
      const some = publications * (0.5 + Math.random());
      await until('some more are published', async () => (await this.published()) >= before + some, {
        everyMs: 25,
      });
      await this[act]();
      this.done[act]++;
    }
  }

  /** Whether nobody but the living has shards. */
  async isTakenOver(): Promise<boolean> {
    const living = new Set([...this.living].map(relayNodeOf));
    return [...(await this.owners())].every((owner) => living.has(owner));
  }

  /** Sends all away; whoever does not go by itself is told of in the answer. */
  async end(): Promise<string[]> {
    const all = [...this.living];
    for (const { process } of all) process.kill('SIGTERM');
    const ended = await Promise.all(all.map((program) => program.ended));
    return ended.flatMap(({ code, signal, output }) => (code === 0 ? [] : [`${code ?? signal}: ${output}`]));
  }

  /** Whatever is left, whatever it does. */
  async sweep(): Promise<void> {
    for (const { process } of this.living) process.kill('SIGKILL');
    await Promise.all([...this.living].map(({ ended }) => ended));
    this.living.clear();
  }

  private async kill(): Promise<void> {
    const victim = this.anybody();
    victim.process.kill('SIGKILL');
    await victim.ended;
    this.living.delete(victim);
    if (this.living.size < 2) await this.join();
  }

  private async leave(): Promise<void> {
    const leaving = this.anybody();
    leaving.process.kill('SIGTERM');
    await leaving.ended;
    this.living.delete(leaving);
    if (this.living.size < 2) await this.join();
  }

  /**
   * For longer than its lease: others publish what is its, and it takes part again when it goes on. It has lost nothing
   * if it was just giving all away.
   */
  private async stop(): Promise<void> {
    const zombie = this.anybody();
    const losses = lossesOf(zombie);
    zombie.process.kill('SIGSTOP');
    const last = await this.beatOf(zombie);
    try {
      await until('others have its shards', async () => !(await this.owners()).has(relayNodeOf(zombie)));
    } finally {
      zombie.process.kill('SIGCONT');
    }
    await until('it takes part again', async () => ![undefined, last].includes(await this.beatOf(zombie)));
    if (lossesOf(zombie) > losses) this.noticed++;
  }

  private anybody(): Program {
    const all = [...this.living];
    return all[Math.floor(Math.random() * all.length)] as Program;
  }

  private async published(): Promise<number> {
    const [row] = await this.backend.query('SELECT MAX(id) AS n FROM published');
    return Number(row?.['n'] ?? 0);
  }

  private async owners(): Promise<Set<string | undefined>> {
    const rows = await this.backend.query('SELECT owner FROM durable_outbox_shards WHERE owner IS NOT NULL');
    return new Set(rows.map(({ owner }) => String(owner)));
  }

  /** Until when it is taken for alive, if it is listed: each of its beats changes that. */
  private async beatOf(program: Program): Promise<string | undefined> {
    const rows = await this.backend.query('SELECT expiry FROM durable_outbox_nodes WHERE id = ?', [
      relayNodeOf(program) ?? '',
    ]);
    return rows[0] && JSON.stringify(rows[0]);
  }
}

const lossesOf = (program: Program): number => program.output().split('LOST').length - 1;
