import pg from 'pg';
import { type MortalServer } from './servers/server.mjs';
import { startPostgres } from './servers/postgres.mjs';
import { until } from './until.js';

/** Nothing but the WAL writer and checkpoints brings commits to the disk; both are in the hand of the test. */
const LAZY = [
  ...['synchronous_commit=off', 'wal_writer_delay=10s', 'wal_writer_flush_after=1GB', 'wal_buffers=16MB'],
  ...['checkpoint_timeout=1d', 'bgwriter_lru_maxpages=0', 'autovacuum=off', 'wal_level=minimal', 'max_wal_senders=0'],
].flatMap((setting) => ['-c', setting]);

/** A PostgreSQL that confirms commits before they are on the disk, and forgets them when it crashes. */
export class ForgetfulPostgres {
  /** The process that writes WAL in the background, while it is held. */
  private held: number | undefined;

  private constructor(private readonly server: MortalServer) {}

  static async start(): Promise<ForgetfulPostgres> {
    return new ForgetfulPostgres(await startPostgres({ flags: LAZY }));
  }

  get address(): MortalServer['address'] {
    return this.server.address;
  }

  /** What was committed so far survives a crash; what is committed from now on does not. */
  async remember(): Promise<void> {
    const { host, port, user, password } = this.address;
    const client = new pg.Client({ host, port, user, password, database: 'postgres' });
    await client.connect();
    try {
      this.held = await until('the WAL writer is held', () => hold(client));
      await client.query('CHECKPOINT');
    } finally {
      await client.end();
    }
  }

  /** All its processes end at once, and nothing is written any more. Returns what starts it again, on the same port. */
  async crash(): Promise<() => Promise<void>> {
    const crashing = this.server.crash();
    this.endHeld();
    return crashing;
  }

  async stop(): Promise<void> {
    const stopping = this.server.stop();
    this.endHeld();
    await stopping;
  }

  /** A process that is held does not hear that its server ends. */
  private endHeld(): void {
    if (this.held !== undefined) process.kill(this.held, 'SIGKILL');
    this.held = undefined;
  }
}

/** Held while it writes it would keep the lock that a checkpoint needs, so it has to be asleep. */
async function hold(client: pg.Client): Promise<number | undefined> {
  const text = `SELECT pid, wait_event FROM pg_stat_activity WHERE backend_type = 'walwriter'`;
  const look = async () => (await client.query<{ pid: number; wait_event: string | null }>(text)).rows[0]!;
  const { pid } = await look();
  process.kill(pid, 'SIGSTOP');
  if ((await look()).wait_event === 'WalWriterMain') return pid;
  process.kill(pid, 'SIGCONT');
  return undefined;
}
