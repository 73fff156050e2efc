import { Readable } from 'node:stream';
import type { INestApplicationContext } from '@nestjs/common';
import {
  DurableModule,
  DurableNodes,
  OperatorActs,
  RemoteStep,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
  type WorkflowRunner,
  WorkflowSchedules,
  WorkflowSignal,
} from '../../lib/index.js';
import { runCli } from '../../lib/cli/cli.js';
import { describeDatabases } from '../support/backends.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { isFull } from '../support/tiers.js';
import { until } from '../support/until.js';

@Worker({ group: 'billing' })
class Billing {
  @RemoteStep('charge')
  async charge(): Promise<string> {
    return 'paid';
  }
}

@Workflow('order')
class Order implements WorkflowRunner<string, unknown> {
  async run(ctx: WorkflowContext, how: string): Promise<unknown> {
    if (how === 'fails') throw new Error('\u001b[31mno\u001b[0m');
    if (how === 'listens') return ctx.waitForSignal('go', GO);
    return ctx.remote<unknown>('charge', null, { group: 'billing' });
  }
}

const GO = new WorkflowSignal<unknown>('go');

interface Called {
  code: number;
  out: string;
  err: string;
}

const BY = ['--reason', 'a test'];

describeDatabases(
  'commands on an operator',
  (at) => {
    let database: FreshDatabase;
    let app: INestApplicationContext;
    let workflows: WorkflowClient;

    const call = async (args: readonly string[], input?: string, asks = false): Promise<Called> => {
      const [out, err]: [string[], string[]] = [[], []];
      const code = await runCli(args, {
        env: { DATABASE_URL: database.url },
        out: (line) => out.push(line),
        err: (line) => err.push(line),
        ...(input !== undefined && { input: Readable.from([input]) }),
        asks,
      });
      return { code, out: out.join('\n'), err: err.join('\n') };
    };
    const json = async (...args: string[]) => JSON.parse((await call([...args, '-o', 'json'])).out) as never;
    const statusOf = async (id: string) => (await workflows.getStatus(id)).status;
    const charged = (id: string) =>
      until(`${id} asks`, async () => (await workflows.getStatus(id, { history: true })).history!.length > 0);

    beforeAll(async () => {
      database = await createDatabase(at.db);
      app = await bootApp({
        imports: [
          ormModule(at.orm, database, { poolMax: 4 }),
          DurableModule.forRoot({ migrate: true, worker: false, outbox: { relay: false } }),
        ],
        providers: [Order, Billing],
      });
      workflows = app.get(WorkflowClient);
    });
    afterAll(async () => {
      await app?.close();
      await database.close();
    });

    it.each([
      [['runs', 'list'], 'No run matches', { runs: [] }],
      [['queues'], 'There are no queues', { queues: [] }],
      [['limits'], 'No limit is in use', { limits: [] }],
      [['signals'], 'Every signal was taken', { signals: [], lookedAt: 0, complete: true }],
      [['schedules', 'list'], 'There are no schedules', { schedules: [] }],
      [['effects', 'abandoned'], 'No call is abandoned', { calls: [], complete: true }],
      [['effects', 'audit', 'erase', 'nobody'], 'Nothing is recorded of it', { events: [] }],
      [['holds'], 'Nothing is held', []],
      [['holds', 'list'], 'Nothing is held', []],
      [['audit'], 'No act is recorded', { acts: [] }],
    ])('%j of nothing', async (args, none, empty) => {
      expect(await call(args)).toEqual({ code: 0, out: '', err: none });
      // Ids of nothing are printed by the same code for all of them.
      if (isFull() || args[0] === 'runs')
        expect(await call([...args, '-o', 'ids'])).toEqual({ code: 0, out: '', err: '' });
      expect(await json(...args)).toEqual(empty);
    });

    it('an overview of nothing says so', async () => {
      expect(await call(['overview'])).toEqual({ code: 0, out: 'Nothing needs anybody', err: '' });
      expect(await json('overview')).toMatchObject({ blocked: [], unanswered: [] });
      expect((await call(['effects', 'counts'])).out).toMatch(/^STATUS +CALLS\npending +0\n/);
    });

    it.each([
      [['runs', 'show', 'nobody'], 4, 'No run has the id "nobody"'],
      [['runs', 'why', 'nobody'], 4, 'nobody'],
      [['runs', 'export', 'nobody'], 4, 'nobody'],
      [['runs', 'cancel', 'nobody', '--yes', ...BY], 4, 'No run has the id "nobody"'],
      [['runs', 'restart', 'nobody', '--yes', ...BY], 4, 'nobody'],
      [['steps', 'now', 'nobody', '0', ...BY], 4, 'nobody'],
      [['schedules', 'show', 'nobody'], 4, 'nobody'],
      [['schedules', 'pause', 'nobody', ...BY], 4, 'nobody'],
      [['runs', 'lst'], 2, "unknown command 'lst'\n(Did you mean list?)"],
      [['run', 'list'], 2, "unknown command 'run'\n(Did you mean runs?)"],
      [['runs', 'list', '--workflw', 'x'], 2, '(Did you mean --workflow?)'],
      [['runs', 'list', '-o', 'yaml'], 2, 'Allowed choices are table, json, ids'],
      [['runs', 'list', '--limit', '0'], 2, '--limit is "0": pass a whole number from 1 to 100000'],
      [['runs', 'list', '--created-after', 'soon'], 2, '--created-after is "soon": pass a time'],
      [['runs', 'list', '--cursor', 'x'], 2, 'cursor'],
      [['runs', 'list', '--waits-for', 'luck'], 2, 'waitsFor'],
      [['runs', 'list', '--attribute', 'n>x'], 2, 'a number or a time'],
      [['runs', 'retry', 'a'], 2, "required option '--reason <text>' not specified"],
      [['runs', 'retry', ...BY], 2, 'filter'],
      [['runs', 'cancel', 'a', ...BY], 2, 'Nobody can be asked whether to cancel 1 run: pass --yes'],
      [['runs', 'signal', 'a', '--name', 'go', '--payload', '{', ...BY], 2, '--payload is "{": pass JSON'],
      [['runs', 'signal', 'a', '--name', 'go', '--key', 'k', ...BY], 2, '--key is "k": pass either it, or runs'],
      [
        ['runs', 'signal', '--name', 'go', '--key', 'k', '--dry-run', ...BY],
        2,
        '--key is "k": pass it without filters',
      ],
      [['runs', 'signal', '--name', 'go', '--key', 'k', '--workflow', 'w', ...BY], 2, '--key is "k": pass it without'],
      [['runs', 'fork', 'a', '--from', 'x', ...BY], 2, 'from'],
      [['steps', 'now', 'a', 'x', ...BY], 2, 'The step is "x": pass its position'],
      [['audit', '--since', 'x'], 2, '--since is "x"'],
      [['holds', 'add', ...BY], 2, 'exactly one of'],
    ])('%j says what is wrong', async (args, code, message) => {
      const called = await call(args);
      expect(called).toMatchObject({ code, out: '' });
      expect(called.err).toContain(message);
    });

    it('lists and shows runs in each format', async () => {
      await workflows.start(Order, 'fails', { id: 'failed', attributes: { customer: 'acme' } });
      await until('it has failed', async () => (await statusOf('failed')) === 'failed');
      const table = await call(['runs', 'list', '--status', 'failed', '--attribute', 'customer=acme']);
      expect(table).toMatchObject({ code: 0, err: '' });
      expect(table.out).toMatch(/^ID +WORKFLOW +STATUS.*\nfailed +order@1 +failed +20\d\d-/);
      expect(await call(['runs', 'list', '-o', 'ids'])).toEqual({ code: 0, out: 'failed', err: '' });
      const ended = ['runs', 'list', '--ended', '--ended-after', '2020-01-01', '--id-prefix', 'fai', '-o', 'ids'];
      expect(await call(ended)).toEqual({ code: 0, out: 'failed', err: '' });
      const waits = ['runs', 'list', '--waits-for', 'task', 'limiter', '--run-reason', 'exhausted', '-o', 'ids'];
      expect(await call(waits)).toMatchObject({ code: 0, out: '' });
      expect(await json('runs', 'list')).toMatchObject({ runs: [{ id: 'failed', error: { message: /no/ } }] } as never);
      const shown = await call(['runs', 'show', 'failed', '--history']);
      expect(shown.out).toMatch(/^run +failed\n/);
      expect(shown.out).not.toContain('\u001b');
      expect((await call(['runs', 'why', 'failed'])).out).toMatch(/^Run "failed" of "order" \(version 1\) failed/);
      expect((await call(['runs', 'steps', 'failed'])).err).toBe('No step is recorded');
      expect((await call(['runs', 'steps', 'nobody'])).code).toBe(4);
      expect(await json('runs', 'steps', 'failed', '--after', '99')).toMatchObject({ steps: [], workflow: 'order' });
      expect(await json('runs', 'export', 'failed')).toMatchObject({ run: { id: 'failed' } });
      await workflows.start(Order, 'fails', { id: 'failed-2' });
      await until('it has failed', async () => (await statusOf('failed-2')) === 'failed');
      const exported = async (args: readonly string[], input?: string) => {
        const { code, out, err } = await call(['runs', 'export', ...args], input);
        return { code, err, ids: (JSON.parse(out) as { run: { id: string } }[]).map(({ run }) => run.id) };
      };
      const both = { code: 0, err: '', ids: ['failed', 'failed-2'] };
      expect(await exported(['failed', 'failed-2'])).toEqual(both);
      expect(await exported(['-'], 'failed\nfailed-2\n')).toEqual(both);
      expect(await exported(['-'], 'failed\n')).toEqual({ ...both, ids: ['failed'] });
      expect(await exported(['--status', 'failed'])).toEqual({ ...both, ids: ['failed-2', 'failed'] });
      expect(await exported(['--workflow', 'nobody'])).toEqual({ ...both, ids: [] });
      const cut = await exported(['--status', 'failed', '--limit', '1']);
      expect(cut).toMatchObject({ ids: ['failed-2'], err: 'Only the newest 1 run: there are more, see --limit' });
      const missing = await exported(['nobody', 'failed']);
      expect(missing).toEqual({ code: 4, err: 'nobody: there is no such run', ids: ['failed'] });
      for (const args of [[], ['failed', '--status', 'failed'], ['a', 'b', '--as', 'test', '--module', 'x']])
        expect(await call(['runs', 'export', ...args])).toMatchObject({ code: 2, out: '' });
      await workflows.delete('failed-2');
    });

    it('changes runs that are named, piped or matched, with an act for each', async () => {
      for (const id of ['a', 'b', 'c', 'd']) await workflows.start(Order, 'listens', { id });
      const refused = await call(['runs', 'cancel', '-', ...BY], 'a\n');
      expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('--yes') as string });
      expect(await call(['runs', 'cancel', '-', '--yes', '-o', 'ids', ...BY], '\r\na\r\nb\n')).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^[ab]\n[ab]$/) as string,
      });
      expect(await call(['runs', 'cancel', '-', '--yes', ...BY], '\n')).toMatchObject({ code: 2 });
      expect(await call(['runs', 'cancel', '-', 'c', '--yes', ...BY], 'd')).toMatchObject({ code: 2 });
      expect(await call(['runs', 'cancel', '-', '--yes', ...BY], 'x'.repeat(300))).toMatchObject({ code: 2 });
      const again = await call(['runs', 'cancel', 'a', 'c', '--yes', '--actor', 'ada', ...BY]);
      expect(again).toMatchObject({ code: 1, out: 'cancel: 1 run, 1 refused' });
      const dry = await call(['runs', 'terminate', '--workflow', 'order', '--status', 'suspended', '--dry-run', ...BY]);
      expect(dry).toMatchObject({ code: 0, err: '' });
      expect(dry.out).toMatch(/^terminate, dry run: \d runs?, 0 refused$/);
      expect(await call(['runs', 'signal', 'd', '--name', 'go', '--payload', '{"n":1}', ...BY])).toMatchObject({
        code: 0,
      });
      expect(await workflows.result('d')).toEqual({ n: 1 });
      expect(await json('runs', 'delete', 'd', '--yes', ...BY)).toEqual({
        done: ['d'],
        refused: [],
        total: { done: 1, refused: 0 },
      });
      const { acts } = await app.get(OperatorActs).list({ kind: 'run' });
      expect(acts.find(({ target }) => target === 'c')?.actor).toBe('ada');
      expect(acts.find(({ target }) => target === 'd')?.actor).toMatch(/^cli:.+@.+$/);
      expect((await call(['audit', '--run', 'c'])).out).toMatch(/ada +cancel +run +c +ended +a test$/);
    });

    it('asks on a terminal before it destroys', async () => {
      await workflows.start(Order, 'listens', { id: 'asked' });
      const no = await call(['runs', 'terminate', 'asked', ...BY], 'no\n', true);
      expect(no).toMatchObject({ code: 2, err: expect.stringContaining('Terminate 1 run? Type yes') as string });
      const silent = await call(['runs', 'terminate', 'asked', ...BY], '', true);
      expect(silent).toMatchObject({ code: 2, err: expect.stringContaining('nothing was done') as string });
      expect(await statusOf('asked')).not.toBe('cancelled');
      expect(await call(['runs', 'terminate', 'asked', ...BY], 'yes\n', true)).toMatchObject({ code: 0 });
      expect(await statusOf('asked')).toBe('cancelled');
    });

    it('begins runs anew, and forks them', async () => {
      expect(await call(['runs', 'restart', 'asked', '--input', '"charges"', '--yes', ...BY])).toMatchObject({
        code: 0,
      });
      await charged('asked');
      await workflows.cancel('asked');
      await workflows.start(Order, 'charges', { id: 'paying' });
      await charged('paying');
      const fork = await call(['runs', 'fork', 'paying', '--from', '0', '--id', 'forked', '-o', 'ids', ...BY]);
      expect(fork).toEqual({ code: 0, out: 'forked', err: '' });
      await charged('forked');
    });

    it('completes and fails steps by hand, and shows the queue and who holds it', async () => {
      const queues = await call(['queues']);
      const top = await call(['top']);
      expect(top.out.split('\n')[0]).toBe(queues.out.split('\n')[0]);
      expect(top.out).toMatch(/\n\nPROCESS +STATE/);
      expect(await call(['top', '--interval', '0'])).toMatchObject({ code: 2, out: '' });
      expect(queues.out).toMatch(/^QUEUE +WAITING +SINCE.*\nbilling +2 +20\d\d-/);
      expect(await call(['queues', '-o', 'ids'])).toEqual({ code: 0, out: 'billing', err: '' });
      expect(await call(['queues', '--group', 'billing', '-o', 'ids'])).toEqual({ code: 0, out: 'billing', err: '' });
      expect(await call(['queues', '--group', 'nothing', '-o', 'ids'])).toEqual({ code: 0, out: '', err: '' });
      expect(await call(['holds', 'add', '--group', 'billing', ...BY])).toMatchObject({ out: 'Held group:billing' });
      expect((await call(['queues'])).out).toMatch(/cli:.+: a test$/);
      expect(await call(['holds', '-o', 'ids'])).toMatchObject({ out: 'group:billing' });
      expect(await call(['holds', 'lift', '-', ...BY], 'group:billing')).toMatchObject({ code: 0 });
      const tasks = await call(['tasks', '--group', 'billing', '--status', 'waiting', '--step', 'charge']);
      expect(tasks.out).toMatch(
        /^RUN +WORKFLOW +SEQ +STEP +GROUP +STATUS .*\n(paying|forked) +order +0 +charge +billing +waiting/,
      );
      const idsOf = async (...command: string[]) => (await call([...command, '-o', 'ids'])).out.split('\n').sort();
      expect(await idsOf('tasks', '--step', 'charge')).toEqual(['forked', 'paying']);
      expect(await idsOf('tasks', '--worker', 'nobody')).toEqual(['']);
      const pending = ['steps', 'list', '--step', 'charge', '--step-status', 'pending', '--workflow', 'order'];
      // A run that was terminated has left its step open.
      expect(await idsOf(...pending)).toEqual(['asked', 'forked', 'paying']);
      expect(await idsOf(...pending, '--status', 'running', 'suspended')).toEqual(['forked', 'paying']);
      expect(await idsOf(...pending, '--older-than', '1h')).toEqual(['']);
      expect((await call(['steps', 'list', '--id-prefix', 'pay'])).out).toMatch(
        /^RUN +WORKFLOW +SEQ +KIND +NAME.*\npaying +order +0 +remote +charge +pending/,
      );
      expect(JSON.parse((await call([...pending, '--limit', '1', '-o', 'json'])).out)).toMatchObject({
        steps: [{ name: 'charge' }],
        cursor: expect.any(String) as string,
      });
      expect(await call(['steps', 'list', '--younger-than', 'x'])).toMatchObject({
        code: 2,
        err: expect.stringMatching(/^error: --younger-than is "x": pass milliseconds/) as string,
      });
      expect(await call(['tasks', '--status', 'asleep'])).toMatchObject({ code: 2, out: '' });
      const done = await call(['steps', 'complete', 'paying', '0', '--result', '{"by":"hand"}', ...BY]);
      expect(done).toMatchObject({ code: 0, out: 'Completed step 0 of run "paying"' });
      expect(await workflows.result('paying')).toEqual({ by: 'hand' });
      const failed = ['steps', 'fail', 'forked', '0', '--message', 'no', '--code', 'NO', '--final'];
      expect(await call([...failed, ...BY])).toMatchObject({ code: 0 });
      await expect(workflows.result('forked')).rejects.toThrow('no');
      expect(await call(['steps', 'complete', 'paying', '7', ...BY])).toMatchObject({ code: 4 });
      expect(await call(['nodes', '-o', 'ids'])).toMatchObject({ code: 0, out: expect.stringMatching(/./) as string });
    });

    it('lists the versions that open runs need', async () => {
      await workflows.start(Order, 'listens', { id: 'open' });
      const [{ id } = { id: 'nobody' }] = await app.get(DurableNodes).list();
      const { out } = await call(['versions']);
      expect(out).toMatch(/^WORKFLOW +VERSION +RUNS +PROCESSES\norder +1 +[1-9]\d* +/);
      expect(out.endsWith(id)).toBe(true);
      expect(await call(['versions', '-o', 'ids', '--namespace', 'other'])).toEqual({ code: 0, out: '', err: '' });
    });

    it('redraws on a terminal until it is interrupted', async () => {
      const drawn: string[] = [];
      const interruption = new AbortController();
      const ended = runCli(['top', '--interval', '0.5'], {
        env: { DATABASE_URL: database.url },
        out: (frame) => drawn.push(frame) === 2 && interruption.abort(new Error('Interrupted')),
        err: (line) => drawn.push(line),
        draws: true,
        interrupted: interruption.signal,
      });
      expect(await ended).toBe(130);
      expect(drawn).toHaveLength(2);
      for (const frame of drawn) expect(frame.startsWith('\u001b[2J\u001b[HQUEUE ')).toBe(true);
    });

    it('triggers, pauses and resumes schedules', async () => {
      await app.get(WorkflowSchedules).create('order', { id: 'nightly', cron: '0 3 * * *', input: 'listens' });
      expect((await call(['schedules', 'list'])).out).toMatch(/^ID.*\nnightly +order +active +0 3 \* \* \*/);
      expect(await call(['schedules', 'pause', '-', ...BY], 'nightly\n')).toMatchObject({ code: 0 });
      expect((await call(['schedules', 'show', 'nightly'])).out).toMatch(/state +paused/);
      const { out: times } = await call(['schedules', 'preview', 'nightly', '--count', '2', '-o', 'ids']);
      expect(times).toMatch(/^20\d\d-.+T03:00:00.000Z\n20\d\d-.+T03:00:00.000Z$/);
      expect(await call(['schedules', 'resume', 'nightly', ...BY])).toMatchObject({
        out: 'Resumed schedule "nightly"',
      });
      const { out: run } = await call(['schedules', 'trigger', 'nightly', '-o', 'ids', ...BY]);
      expect(await statusOf(run)).toMatch(/pending|running|suspended/);
      expect(await call(['runs', 'list', '--schedule', 'nightly', '-o', 'ids'])).toMatchObject({ out: run });
    });

    it('lists signals that nobody took', async () => {
      expect(await call(['runs', 'signal', '--key', 'k', '--name', 'late', ...BY])).toMatchObject({
        out: 'Sent "late" to key "k"',
      });
      expect((await call(['signals'])).out).toMatch(/^SIGNAL.*\nlate +key +k +1 /);
    });

    it('shows and repairs the outbox', async () => {
      await database.query(
        `INSERT INTO durable_outbox_destinations (name, created_at, seen_at) VALUES ('broker', 1, 1)`,
      );
      await database.query(
        `INSERT INTO durable_outbox_dead (destination, sequence_id, mutation_id, channel, name, attempts, reason, failed_at) VALUES ('broker', 7, 'm', 'c', 'paid', 3, 'failed', 1)`,
      );
      expect(await call(['outbox', 'lag'])).toEqual({ code: 0, out: '', err: 'Every event is delivered' });
      expect(await call(['outbox', 'standing'])).toMatchObject({ code: 0, out: '' });
      expect((await call(['outbox', 'dead'])).out).toMatch(/^NUMBER.*\n7 +c +paid +failed +3 +1970-/);
      expect(await call(['outbox', 'dead', '-o', 'ids', '--channel', 'other'])).toMatchObject({ out: '' });
      expect(await call(['outbox', 'retry', 'c', ...BY])).toMatchObject({ code: 1, out: '' });
      expect(await call(['outbox', 'retry-all', ...BY])).toMatchObject({ code: 0, out: 'Retries 0 channels' });
      expect(await call(['outbox', 'forget', 'broker', ...BY])).toMatchObject({ code: 2 });
      expect(await call(['outbox', 'skip', 'c', ...BY])).toMatchObject({ code: 2 });
      expect(await call(['outbox', 'skip', 'c', '--yes', ...BY])).toMatchObject({ code: 1 });
      expect(await call(['outbox', 'skip', '-', '--yes', ...BY], 'c\nd\n')).toMatchObject({ code: 1 });
      expect(await call(['overview'])).toMatchObject({
        code: 1,
        out: expect.stringContaining('1 dead letters of broker (outbox dead)') as string,
      });
      expect(await call(['outbox', 'requeue', 'c', '--sequence', '7', ...BY])).toMatchObject({
        code: 0,
        out: 'Requeued dead letters of channel "c"',
      });
      expect(await call(['outbox', 'lag', '--destination', 'nobody'])).toMatchObject({ code: 2 });
      expect(await call(['outbox', 'forget', 'broker', '--yes', ...BY])).toMatchObject({ out: 'Forgot "broker"' });
    });

    it('requeues abandoned calls', async () => {
      expect(await call(['effects', 'requeue', 'none', ...BY])).toMatchObject({
        code: 1,
        out: 'Requeued 0 of 1 call',
      });
    });

    it('pages with a cursor', async () => {
      const first = await call(['runs', 'list', '--limit', '2', '-o', 'ids', '--oldest']);
      const [, cursor = ''] = /--cursor (\S+)$/.exec(first.err) ?? [];
      const rest = await call(['runs', 'list', '-o', 'ids', '--oldest', '--cursor', cursor]);
      const all = await call(['runs', 'list', '-o', 'ids', '--oldest']);
      expect(`${first.out}\n${rest.out}`).toBe(all.out);
    });
  },
  { only: ({ orm }) => orm === 'typeorm' },
);
