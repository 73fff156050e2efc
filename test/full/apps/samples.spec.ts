import { compiled } from '../../support/compiled.js';
import { createDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { type Program, runProgram, startProgram } from '../../support/programs.js';
import { servers } from '../../support/test-servers.js';
import { until } from '../../support/until.js';

/** Of processes that begin. */

const onMysql = servers.some(({ db }) => db === 'mysql') ? it : it.skip;

describe('The samples', () => {
  const opened: FreshDatabase[] = [];
  const programs: Program[] = [];

  beforeAll(async () => {});
  afterEach(async () => {
    for (const { process } of programs) process.kill('SIGKILL');
    await Promise.all(programs.splice(0).map(({ ended }) => ended));
    await Promise.all(opened.splice(0).map((database) => database.close()));
  });

  const database = async (db: FreshDatabase['db']) => {
    const created = await createDatabase(db);
    opened.push(created);
    return created;
  };
  const start = (name: string, env: NodeJS.ProcessEnv) => {
    const program = startProgram(compiled(`sample/${name}`), [], env);
    programs.push(program);
    return program;
  };

  it('01: says hello', async () => {
    const { url, query } = await database('postgres');
    const ended = await runProgram(compiled('sample/01-hello-workflow/main.js'), ['Ada'], { DATABASE_URL: url });
    expect(ended).toEqual({ code: 0, signal: null, output: 'HELLO, ADA\n' });
    const recorded = await query('SELECT kind, status FROM durable_steps ORDER BY seq');
    expect(recorded).toEqual(['step', 'sleep', 'remote'].map((kind) => ({ kind, status: 'completed' })));
  });

  it('02: has the work done by worker processes, which end cleanly when told to', async () => {
    const { url: DATABASE_URL } = await database('postgres');
    const api = start('02-worker-app/api.js', { DATABASE_URL, PORT: '0' });
    const port = await until('the API', () => /API on \S+:(\d+)\n/.exec(api.output())?.[1]).catch(() =>
      Promise.reject(new Error(api.output())),
    );
    const url = `http://127.0.0.1:${port}/thumbnails`;
    const ask = async (widths: number[]): Promise<string> => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ url: 'a.png', widths }) });
      expect(response.status).toBe(202);
      return ((await response.json()) as { id: string }).id;
    };
    const look = async (id: string) => (await (await fetch(`${url}/${id}`)).json()) as Record<string, unknown>;

    // Nobody serves it yet.
    const id = await ask([100, 200, 300]);
    await until('the run to wait', async () => (await look(id))['status'] !== 'pending');
    const worker = start('02-worker-app/worker.js', { DATABASE_URL });
    const done = await until('the thumbnails', async () => {
      const seen = await look(id);
      return seen['status'] === 'completed' && seen;
    });
    expect(done['output']).toEqual({
      thumbnails: ['a.png?width=100', 'a.png?width=200', 'a.png?width=300'],
      by: [worker.process.pid],
    });

    const impossible = await ask([-1]);
    await until('the failure', async () => (await look(impossible))['status'] === 'failed');
    expect(await look(impossible)).toMatchObject({ error: { code: 'BAD_WIDTH' } });

    worker.process.kill('SIGTERM');
    api.process.kill('SIGTERM');
    // Nest ends the process by the same signal once its hooks have run.
    expect(await worker.ended).toMatchObject({ code: null, signal: 'SIGTERM' });
    expect(await api.ended).toMatchObject({ code: null, signal: 'SIGTERM' });
  });

  onMysql('03: works with MikroORM on MySQL', async () => {
    const { url, query } = await database('mysql');
    const args = ['grace@example.org'];
    const ended = await runProgram(compiled('sample/03-mikro-orm-mysql/main.js'), args, { DATABASE_URL: url });
    expect(ended).toMatchObject({
      code: 0,
      output: expect.stringContaining('grace@example.org is welcomed') as string,
    });
    expect(await query('SELECT email, status FROM signups')).toEqual([
      { email: 'grace@example.org', status: 'welcomed' },
    ]);
    expect(await query('SELECT id, status FROM durable_runs')).toEqual([
      { id: 'signup-grace@example.org', status: 'completed' },
    ]);
  });

  it('04: starts the run with the order, or neither', async () => {
    const { url, query } = await database('postgres');
    const ended = await runProgram(compiled('sample/04-transactional-start/main.js'), [], { DATABASE_URL: url });
    expect(ended.code).toBe(0);
    expect(
      ended.output
        .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
        .trim()
        .split('\n'),
    ).toEqual([
      'thank you for order <id>',
      'charge of 42 as order-<id>:0',
      'the first order is paid',
      'nothing to pay: everything above is rolled back',
      'the second order: 0 rows, run found: false',
    ]);
    expect(await query('SELECT amount, status FROM orders')).toEqual([{ amount: 42, status: 'paid' }]);
    expect(await query('SELECT status FROM durable_runs')).toEqual([{ status: 'completed' }]);
  });

  const says = async (program: string): Promise<string[]> => {
    const { url } = await database('postgres');
    const ended = await runProgram(compiled(`sample/${program}`), [], { DATABASE_URL: url });
    expect(ended.code === 0 ? '' : ended.output).toBe('');
    return ended.output.trim().split('\n');
  };

  it('06: fires by plans, of the code and of rows', async () => {
    const lines = await says('06-schedules/main.js');
    const [daily, monthly, ...others] = lines;
    expect(daily).toMatch(/^sales-report-daily: next at .+T0[78]:0[0-4]:.+Z$/);
    expect(monthly).toMatch(/^sales-report-monthly: next at .+-01T0[56]:00:00.000Z$/);
    expect(others).toEqual([
      ...['24T00:30', '25T00:30', '26T01:30'].map((time) => `half past two in Berlin: 2099-10-${time}:00.000Z`),
      ...['sales of 1 days', 'no address: nowhere', 'ada was reminded twice'],
      'left: sales-report-daily, sales-report-monthly',
    ]);
  });

  it('08: waits for a decision, early, twice, or never', async () => {
    const lines = await says('08-approval/main.js');
    expect(lines.filter((line) => /^[ABC]: /.test(line))).toEqual([
      'A: approved by Ada',
      ...['B: click 1 counts', 'B: click 2 was there already', 'B: refused by Bob'],
      'C: refused, since nobody decided',
    ]);
    expect(lines).toContain('expense C still waits');
  });

  it('09: fans out, fans in, and begins after another run', async () => {
    expect(await says('09-fan-out/main.js')).toEqual([
      ...['north: 6', 'south: 42', 'west: west has sent no sales'],
      'report-1 is in the archive, with 3 lines',
      'completed, completed, failed',
    ]);
  });

  it('15: refuses what does not match, and stores what the schema made of the rest', async () => {
    expect(await says('15-validation/main.js')).toEqual([
      ...['refused: guest (too_small)', 'refused: nights (invalid_type)', 'refused: euros (invalid_type)'],
      'Ada: room 102, with breakfast, 200 euros with tax',
      'the same booking',
    ]);
  });

  it('16: joins the transactions of decorators', async () => {
    expect(await says('16-transaction-decorators/main.js')).toEqual([
      'transferred 30 with attempt 2',
      'ada has 70, bob has 30',
      'nothing to transfer: everything above is rolled back',
      '2 accounts, 1 run',
    ]);
  });

  it('17: shares texts, counters and messages between processes', async () => {
    expect(await says('17-shared-state/main.js')).toEqual([
      '1 of 2 imported the day',
      'a book is 10 euros there',
      'and 12 since it was changed here',
      '10 of 12 questions of Ada in a minute were answered',
    ]);
  });

  it('10: undoes what was done, the last first', async () => {
    expect(await says('10-saga/main.js')).toEqual([
      'tickets for Ada',
      'failed: the hotel is full (HOTEL_FULL)',
      ...['flight for Ada', 'car for Ada', 'room for Ada'],
      ...['flight for Bob', 'car for Bob', 'car for Bob given back', 'flight for Bob cancelled'],
    ]);
  });
});
