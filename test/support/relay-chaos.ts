import type { OpenBackend } from './backends.js';
import type { Program } from './programs.js';
import { relayNodeOf } from './relay-program.js';
import { until } from './until.js';

const ACTS = ['kill', 'join', 'stop', 'leave'] as const;

/** Relays as processes that are killed, stopped, sent away and joined by others, while they publish. */
export class RelayChaos {
  readonly done = { kill: 0, join: 0, stop: 0, leave: 0 };
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
    const rows = await this.backend.query('SELECT owner FROM durable_outbox_shards WHERE owner IS NOT NULL');
    return rows.every(({ owner }) => living.has(String(owner)));
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

  /** For longer than its lease: others publish what is its, and it finds out when it goes on. */
  private async stop(): Promise<void> {
    const zombie = this.anybody();
    const losses = lossesOf(zombie);
    const before = await this.shardsOf(zombie);
    zombie.process.kill('SIGSTOP');
    // What it had given away by then it does not lose.
    const held = (await this.shardsOf(zombie)).filter((shard) => before.includes(shard));
    try {
      await until('others have its shards', async () => (await this.shardsOf(zombie)).length === 0);
    } finally {
      zombie.process.kill('SIGCONT');
    }
    if (held.length > 0) await until('it notices', () => lossesOf(zombie) > losses);
  }

  private anybody(): Program {
    const all = [...this.living];
    return all[Math.floor(Math.random() * all.length)] as Program;
  }

  private async published(): Promise<number> {
    const [row] = await this.backend.query('SELECT MAX(id) AS n FROM published');
    return Number(row?.['n'] ?? 0);
  }

  private async shardsOf(program: Program): Promise<number[]> {
    const rows = await this.backend.query('SELECT shard FROM durable_outbox_shards WHERE owner = ?', [
      relayNodeOf(program) ?? '',
    ]);
    return rows.map(({ shard }) => Number(shard));
  }
}

const lossesOf = (program: Program): number => program.output().split('LOST').length - 1;
