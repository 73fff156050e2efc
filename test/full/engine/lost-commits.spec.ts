import type { WorkflowContext } from '../../../lib/engine/context.js';
import { WorkflowNotRetryableError } from '../../../lib/core/run-errors.js';
import { write } from '../../support/app-transactions.js';
import { backendOf, type OpenBackend } from '../../support/backends.js';
import type { Body } from '../../support/engine-parts.js';
import { ForgetfulPostgres } from '../../support/forgetful-postgres.js';
import { gate } from '../../support/gate.js';
import { type BootOptions, type House, openSqlHouse, type Process, TABLES } from '../../support/processes.js';
import { until } from '../../support/until.js';

/** What a run does behind what its database loses: it waits in memory, or it ends. */
const WAYS = ['step', 'remote', 'sleep', 'end'] as const;
type Way = (typeof WAYS)[number];

const ids = (...kinds: string[]) => kinds.flatMap((kind) => [1, 2, 3].map((n) => `${kind}-${n}`));

/** Two processes that play runs, and a server that forgets all of these but their first step. */
class Scene {
  readonly losses: { nodeId: string; runs: number; runIds: readonly string[] }[] = [];
  private readonly pass = gate();
  private readonly go = gate();
  private readonly waiting = new Set<string>();
  private readonly done: string[] = [];
  private processes: Process[] = [];

  constructor(
    private readonly server: ForgetfulPostgres,
    private readonly house: House,
    private readonly backend: OpenBackend,
  ) {}

  get client() {
    return this.processes[0]!.client;
  }

  async boot(options: BootOptions = {}): Promise<void> {
    const workflows = Object.fromEntries(WAYS.map((way) => [way, this.bodyOf(way)]));
    const handlers = { far: (id: string) => this.wait(id) };
    this.processes = await Promise.all(
      ['one', 'other'].map((nodeId) => this.house.boot({ nodeId, workflows, handlers, ...options })),
    );
    for (const { nodeId, telemetry } of this.processes)
      telemetry.on('history.lost', (loss) => void this.losses.push({ nodeId, ...loss }));
  }

  private bodyOf(way: Way): Body {
    const ways: Record<Way, (ctx: WorkflowContext) => Promise<unknown>> = {
      step: (ctx) => ctx.step('wait', () => this.wait(ctx.workflowId)),
      remote: (ctx) => ctx.remote('far', ctx.workflowId),
      sleep: (ctx) => ctx.sleep('wait', '5s'),
      end: (ctx) => ctx.step('wait', () => undefined),
    };
    return async (ctx) => {
      const names = [await this.book(ctx, 'a')];
      await ctx.step('pass', () => this.pass.opened);
      names.push(await this.book(ctx, 'b'), await this.book(ctx, 'c'));
      await ways[way](ctx);
      return [...names, await this.book(ctx, 'd')].join('');
    };
  }

  private wait(id: string): Promise<void> {
    this.waiting.add(id);
    return this.go.opened;
  }

  private book(ctx: WorkflowContext, name: string): Promise<string> {
    return ctx.transaction(name, async (tx) => {
      const entry = `${ctx.workflowId}/${name}`;
      await write(this.backend.orm, tx, `INSERT INTO app_ledger (entry) VALUES ('${entry}')`);
      this.done.push(entry);
      return name;
    });
  }

  /** What is lost: all behind `pass`, the claims of the runs `late`, and the very start of the runs `born`. */
  async loseCommits(): Promise<void> {
    for (const way of WAYS) for (const id of ids(way)) await this.client.start(way, null, { id });
    for (const id of ids('late')) await this.client.start('late', null, { id });
    await until('all hold', async () => (await this.ledger()).length === ids(...WAYS).length);
    await this.server.remember();
    const remembered = await this.ledger();
    for (const { define } of this.processes) define('late', this.bodyOf('step'));
    for (const id of ids('born')) await this.client.start('step', null, { id });
    this.pass.open();
    await until('all wait', () => ids('step', 'remote', 'late', 'born').every((id) => this.waiting.has(id)));
    for (const id of ids('end')) await this.client.result(id, { timeout: '120s' });
    await until('the sleepers have gone on', async () => {
      const there = await this.ledger();
      return ids('sleep').every((id) => there.includes(`${id}/c`));
    });
    const before = await this.ledger();
    const start = await this.server.crash();
    await start();
    await this.reconnected();
    await this.expectLost(before, remembered);
  }

  private async reconnected(): Promise<void> {
    await until('the server is back', () => this.ledger().then(Boolean, () => false));
  }

  /** Of runs that still wait nobody writes anything, so the database has of them what it remembered. */
  private async expectLost(before: string[], remembered: string[]): Promise<void> {
    const waiting = (entries: string[]) => entries.filter((entry) => /^(step|remote)-/.test(entry));
    expect(waiting(remembered)).toEqual(ids('remote', 'step').map((id) => `${id}/a`));
    expect(waiting(before).length).toBe(3 * waiting(remembered).length);
    expect(waiting(await this.ledger())).toEqual(waiting(remembered));
  }

  letGo(): void {
    this.go.open();
  }

  get resident(): number {
    return this.processes.reduce((sum, { engine }) => sum + engine.residents.size, 0);
  }

  timesDone(entry: string): number {
    return this.done.filter((each) => each === entry).length;
  }

  async ledger(): Promise<string[]> {
    const rows = await this.backend.query<{ entry: string }>('SELECT entry FROM app_ledger ORDER BY entry');
    return rows.map(({ entry }) => entry);
  }

  /** Rows of the app without the record of their transaction, and records without their rows, in one look. */
  async halves(): Promise<string[]> {
    const records = `SELECT run_id || '/' || name AS entry FROM durable_steps WHERE kind = 'transaction' AND status = 'completed'`;
    const text = `SELECT coalesce(l.entry, r.entry) AS entry FROM app_ledger l FULL JOIN (${records}) r ON r.entry = l.entry
      WHERE l.entry IS NULL OR r.entry IS NULL`;
    return (await this.backend.query<{ entry: string }>(text)).map(({ entry }) => entry);
  }
}

describe.each(['typeorm', 'mikro-orm'] as const)('commits that PostgreSQL forgets when it crashes [%s]', (orm) => {
  let server: ForgetfulPostgres;
  let opened: Awaited<ReturnType<typeof openSqlHouse>>;
  let scene: Scene;
  beforeAll(async () => {
    server = await ForgetfulPostgres.start();
    opened = await openSqlHouse(backendOf(orm, 'postgres', server.address));
    await opened.backend.query('CREATE TABLE app_ledger (entry varchar(64) NOT NULL)');
  });
  beforeEach(async () => {
    for (const table of ['app_ledger', ...TABLES.map((name) => `durable_${name}`)])
      await opened.backend.query(`DELETE FROM ${table}`);
    scene = new Scene(server, opened.house, opened.backend);
  });
  afterEach(() => opened.house.close());
  afterAll(async () => {
    await opened?.close();
    await server?.stop();
  });

  const expectWhole = async () => {
    const all = ids(...WAYS, 'late');
    for (const id of all) {
      expect(await scene.client.result(id, { timeout: '120s' })).toBe('abcd');
      const { history } = await scene.client.getStatus(id, { history: true });
      expect(history!.map(({ status }) => status)).toEqual(Array(6).fill('completed'));
      expect(history!.map(({ name }) => name).filter((name) => 'abcd'.includes(name))).toEqual(['a', 'b', 'c', 'd']);
    }
    expect(await scene.ledger()).toEqual(all.flatMap((id) => [...'abcd'].map((name) => `${id}/${name}`)).sort());
    expect(await scene.halves()).toEqual([]);
    await until('nothing is in memory', () => scene.resident === 0);
    for (const id of ids('born')) await expect(scene.client.getStatus(id)).rejects.toThrow(/not found|no run/i);
  };
  /** Runs that wait in the database notice only later that something of theirs was lost. */
  const retriedToTheEnd = async () => {
    const { client } = scene;
    const { runs } = await client.list({ reason: 'history_lost' });
    for (const { id } of runs)
      await client.retry(id).catch((error: unknown) => {
        // Claimed since it was listed.
        if (!(error instanceof WorkflowNotRetryableError)) throw error;
      });
    return (await client.list({ status: 'completed' })).runs.length === ids(...WAYS, 'late').length;
  };
  const told = () => new Set(scene.losses.flatMap(({ runIds }) => runIds));

  it('are done again by every run: none has a hole, and one event says of how many runs they were', async () => {
    await scene.boot();
    await scene.loseCommits();
    expect(await scene.halves()).toEqual([]);
    scene.letGo();
    await expectWhole();
    for (const id of ids('step', 'remote', 'sleep', 'end', 'late'))
      expect(scene.timesDone(`${id}/c`)).toBeGreaterThan(1);
    expect([...told()]).toEqual(expect.arrayContaining(ids('step', 'remote')));
    // Of runs that write no more, or that the database does not know of, nobody can be ahead.
    expect([...told()].filter((id) => /^(end|born)-/.test(id))).toEqual([]);
    // By each process that had it: on a slow machine one takes over from the other before anything is lost.
    const pairs = scene.losses.flatMap(({ nodeId, runIds }) => runIds.map((id) => `${nodeId} ${id}`));
    expect(scene.losses.reduce((sum, { runs }) => sum + runs, 0)).toBe(new Set(pairs).size);
  });

  it('stand their runs still where that is asked for, and nothing of them is done again until somebody says so', async () => {
    await scene.boot({ onHistoryLost: 'block' });
    await scene.loseCommits();
    scene.letGo();
    const stuck = ids('step', 'remote');
    await until('they stand still', async () =>
      (await Promise.all(stuck.map((id) => scene.client.getStatus(id)))).every(
        ({ reason }) => reason === 'history_lost',
      ),
    );
    const theirs = (await scene.ledger()).filter((entry) => /^(step|remote)-/.test(entry));
    expect(theirs).toEqual(stuck.map((id) => `${id}/a`).sort());
    expect([...told()]).toEqual(expect.arrayContaining(stuck));
    await until('all have ended, tried again whenever they stand still', retriedToTheEnd, { everyMs: 100 });
    await expectWhole();
  });
});
