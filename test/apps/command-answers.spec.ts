import { Readable } from 'node:stream';
import { runCli } from '../../lib/cli/cli.js';
import { describeDatabases } from '../support/backends.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';

const BY = ['--reason', 'a test'];
const run = 'id, namespace, workflow, version, status, epoch, settled, crashes, created_at';

interface Called {
  code: number;
  out: string;
  err: string;
}

describeDatabases('what commands answer', ({ db }) => {
  let database: FreshDatabase;

  const call = async (args: readonly string[], input?: string, interrupted?: AbortSignal): Promise<Called> => {
    const [out, err]: [string[], string[]] = [[], []];
    const code = await runCli(args, {
      env: { DATABASE_URL: database.url },
      out: (line) => out.push(line),
      err: (line) => err.push(line),
      ...(input !== undefined && { input: Readable.from([input]) }),
      ...(interrupted && { interrupted }),
    });
    return { code, out: out.join('\n'), err: err.join('\n') };
  };
  const json = async (...args: string[]) => JSON.parse((await call([...args, '-o', 'json'])).out) as never;
  const startRuns = async (...ids: string[]) => {
    for (const id of ids)
      await database.query(
        `INSERT INTO durable_runs (${run}) VALUES ('${id}', 'default', 'order', 1, 'suspended', 1, 0, 0, 1)`,
      );
  };

  beforeAll(async () => {
    database = await createDatabase(db);
    await call(['migrate']);
  });
  afterAll(() => database.close());

  it.each(['lag', 'standing', 'dead'])('tells of outbox %s that nothing publishes yet', async (what) => {
    expect(await call(['outbox', what])).toEqual({
      code: 0,
      out: '',
      err: 'No publisher or consumer has started yet',
    });
  });

  describe('lists that are cut', () => {
    beforeAll(async () => {
      const plan = JSON.stringify({
        timing: { every: 60_000, from: 0 },
        ...{ jitter: 0, startAt: null, endAt: null, missed: 'once', overlap: 'skip', priority: 0 },
      });
      for (const id of ['a', 'b', 'c'])
        await database.query(
          `INSERT INTO durable_schedules (id, namespace, workflow, spec, created_at) VALUES ('${id}', 'default', 'order', ?, 1)`,
          [plan],
        );
      await database.query(
        `INSERT INTO durable_outbox_destinations (name, created_at, seen_at) VALUES ('broker', 1, 1)`,
      );
      for (const n of [1, 2, 3]) {
        await database.query(
          `INSERT INTO durable_outbox_dead (destination, sequence_id, mutation_id, channel, name, attempts, reason, failed_at) VALUES ('broker', ${n}, 'm${n}', 'c${n}', 'paid', 3, 'failed', 1)`,
        );
        await database.query(
          `INSERT INTO durable_effects (entry_id, operation, subject, handler, enqueued_at, finished_at, attempts, ready, open, status) VALUES ('e${n}', 'charge', 's', 'h', ${n}, 5, 3, NULL, 1, 'abandoned')`,
        );
      }
    });

    it.each([
      [['schedules', 'list'], 'schedules', ['a', 'b'], '--cursor b'],
      [['outbox', 'dead'], 'deadLetters', ['c1', 'c2'], '--cursor 2'],
      [['effects', 'abandoned'], 'calls', ['e1', 'e2'], '--limit'],
    ])('%j says whether there is more', async (args, name, ids, next) => {
      const cut = await call([...args, '--limit', '2', '-o', 'ids']);
      expect(cut).toEqual({ code: 0, out: ids.join('\n'), err: expect.stringMatching(/^There is more: /) as string });
      expect(cut.err).toContain(next);
      expect(await call([...args, '--limit', '3', '-o', 'ids'])).toMatchObject({ code: 0, err: '' });
      const { [name]: rows, ...rest } = (await json(...args, '--limit', '2')) as Record<string, unknown>;
      expect(rows).toHaveLength(2);
      expect(rest).toEqual(next.startsWith('--cursor') ? { cursor: next.split(' ')[1] } : { complete: false });
      const all = (await json(...args)) as Record<string, unknown[]>;
      expect(all[name]).toHaveLength(3);
      expect(all).not.toHaveProperty('cursor');
      if (!next.startsWith('--cursor')) expect(all).toHaveProperty('complete', true);
    });

    it.each(['lag', 'standing'])('outbox %s says that it is complete', async (what) => {
      expect(await json('outbox', what)).toEqual({ channels: [], complete: true });
    });
  });

  describe('changes of several things', () => {
    it('print one document, with what was refused', async () => {
      const paused = await call(['schedules', 'pause', 'a', 'nobody', 'b', '-o', 'json', ...BY]);
      expect(JSON.parse(paused.out)).toEqual({
        done: ['a', 'b'],
        refused: [{ id: 'nobody', why: expect.stringContaining('nobody') as string }],
      });
      expect(paused).toMatchObject({ code: 4, err: expect.stringMatching(/^nobody: /) as string });
      const resumed = await call(['schedules', 'resume', 'a', 'b', ...BY]);
      expect(resumed).toEqual({ code: 0, out: 'Resumed schedule "a"\nResumed schedule "b"', err: '' });
    });

    it('print one document also if nothing was done', async () => {
      for (const args of [['retry'], ['skip', '--yes'], ['requeue']]) {
        const nothing = await call(['outbox', ...args, 'x', 'y', '-o', 'json', ...BY]);
        expect(nothing.code).toBe(1);
        expect(JSON.parse(nothing.out)).toEqual({
          done: [],
          refused: ['x', 'y'].map((id) => ({ id, why: 'there was nothing to do' })),
        });
      }
      const lifted = await call(['holds', 'lift', '--group', 'x', '-o', 'json', ...BY]);
      expect(lifted).toMatchObject({ code: 1, err: 'group:x: there was no hold' });
      expect(JSON.parse(lifted.out)).toEqual({ done: [], refused: [{ id: 'group:x', why: 'there was no hold' }] });
    });

    it('end the batch in which they are interrupted, and say how to go on', async () => {
      await startRuns('r1', 'r2', 'r3');
      const ctrlC = new AbortController();
      const [out, err]: [string[], string[]] = [[], []];
      const terminate = ['runs', 'terminate', '--workflow', 'order', '--batch-size', '1', '--yes', ...BY];
      const code = await runCli([...terminate, '-o', 'json'], {
        env: { DATABASE_URL: database.url },
        out: (line) => out.push(line),
        // During the first words about the first batch.
        err: (line) => err.push(line) === 1 && ctrlC.abort(new Error('Interrupted')),
        interrupted: ctrlC.signal,
      });
      const [, cursor = ''] = /^Interrupted: go on with the same command and --cursor (\S+)$/.exec(err.at(-1)!) ?? [];
      expect(code).toBe(130);
      expect(JSON.parse(out.join(''))).toEqual({
        done: [expect.stringMatching(/^r\d$/)],
        refused: [],
        total: { done: 1, refused: 0 },
        cursor,
      });
      const rest = await call([...terminate, '--cursor', cursor]);
      expect(rest).toMatchObject({ code: 0, out: 'terminate: 3 runs, 0 refused' });
    });

    it('leave alone what they have not begun when they are interrupted', async () => {
      const ctrlC = new AbortController();
      const input = new Readable({ read: () => ctrlC.abort(new Error('Interrupted')) });
      const code = await runCli(['schedules', 'pause', '-', ...BY], {
        env: { DATABASE_URL: database.url },
        out: () => undefined,
        err: () => undefined,
        input,
        interrupted: ctrlC.signal,
      });
      expect(code).toBe(130);
    });
  });

  describe('in each format', () => {
    it('commands for the tables', async () => {
      expect(await json('migrate', '--prefix', 'other')).toMatchObject({
        applied: expect.arrayContaining(['001-engine']) as string[],
      });
      expect(await json('status')).toEqual({ pending: [] });
      expect((await call(['status', '-o', 'ids', '--prefix', 'third'])).out).toMatch(/^001-transport\n/);
      expect(await json('roles', '--engine', 'e')).toMatchObject({
        statements: expect.arrayContaining([expect.stringContaining('GRANT') as string]) as string[],
      });
      expect(await json('vacuum')).toEqual({ vacuumed: expect.any(Number) as number });
      expect(await json('purge', '--older-than', '1h', '--yes')).toEqual({ what: 'runs', deleted: 0 });
    });

    it('what runs have to do with each other', async () => {
      await startRuns('t1', 't2');
      await database.query(`UPDATE durable_runs SET parent_id = 't1' WHERE id = 't2'`);
      expect((await call(['runs', 'tree', 't1'])).out).toMatch(/^RELATION.*\nitself +t1 .*\ndescendant +t2 .*t1/);
      expect(await call(['runs', 'tree', 't1', '-o', 'ids'])).toMatchObject({ out: 't1\nt2' });
      expect(await json('runs', 'tree', 't2')).toMatchObject({ ancestors: [{ id: 't1' }], complete: true });
      expect((await call(['runs', 'counts', '--parent', 't1'])).out).toBe('STATUS     RUNS\nsuspended  1');
      expect(await json('runs', 'counts', '--parent', 't1')).toMatchObject({ byStatus: { suspended: 1 } });
      expect(await call(['runs', 'compare', 't1', 't2'])).toEqual({
        code: 0,
        out: '',
        err: 'Neither of them has a step',
      });
      expect(await json('runs', 'compare', 't1', 't2')).toMatchObject({ a: { id: 't1' }, steps: [] });
      expect(await call(['runs', 'compare', 't1', 'nobody'])).toMatchObject({ code: 4 });
      expect(await call(['effects', 'scheduled'])).toEqual({ code: 0, out: '', err: 'No call waits for a time' });
    });
  });

  it('say what is wrong in their own words', async () => {
    await database.query(`INSERT INTO durable_outbox_destinations (name, created_at, seen_at) VALUES ('z', 1, 1)`);
    for (const [args, code, message] of [
      [['outbox', 'lag'], 2, 'Pass --destination, one of "broker", "z"'],
      [['outbox', 'lag', '--destination', 'x'], 2, '--destination is "x": pass a publisher or consumer'],
      [['runs', 'list', '--cursor', 'x'], 2, '--cursor is "x"'],
      [['runs', 'cancel', '--yes', ...BY], 2, 'Pass runs, or a filter such as --workflow: it would be all runs'],
      [['runs', 'cancel', ...BY], 2, 'Pass runs, or a filter'],
      [['runs', 'cancel', 'a', '--workflow', 'x', '--yes', ...BY], 2, 'Pass either runs or filters, not both'],
      [['runs', 'story', 'nobody'], 4, 'Nothing is known of it'],
      [['runs', 'restart', '-', ...BY], 2, 'Nobody can be asked whether to discard the history of run "t1"'],
      [['audit', '--run', 'x', '--kind', 'hold'], 2, 'Pass either --run, or --kind and --target'],
      [['holds', 'add', ...BY], 2, 'Pass exactly one of --workflow, --group, --effect and --schedule'],
      [['holds', 'lift', 'x', ...BY], 2, 'A hold is "x": pass such as group:billing'],
      [['purge', '--older-than', '30d'], 2, 'Nobody can be asked whether to delete all runs'],
    ] as const) {
      const called = await call(args, '\uFEFFt1\n');
      expect({ args, ...called }).toMatchObject({ args, code, out: '' });
      expect(called.err).toContain(message);
    }
    expect((await call(['--help'])).out).toMatch(/- stands for[^]*Exit codes: 0 done[^]*130/);
    expect((await call(['runs', 'cancel', '--help'])).out).toContain('- reads them from the input');
  });
});
