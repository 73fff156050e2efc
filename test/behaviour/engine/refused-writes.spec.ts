import type { BlameLimits } from '../../../lib/engine/play/recorder.js';
import { DatabaseError } from '../../../lib/core/errors.js';
import type { OpenBackend } from '../../support/backends.js';
import { describeSqlHouses } from '../../support/processes.js';
import { until } from '../../support/until.js';

/** How an attempt to record `poison` ends: as if it had killed its connection, or taken too long. */
const FAULTS = {
  'a connection that is lost': { state: '08006', errno: 1053 },
  'a statement that takes too long': { state: '57014', errno: 1317 },
} as const;
type Fault = keyof typeof FAULTS;

const EVENTS = ['INSERT', 'UPDATE'];

/** From now on the database refuses rows of the table, those where the condition holds of `NEW`. */
async function refuse(backend: OpenBackend, fault: Fault, table: string, condition: string): Promise<void> {
  const { state, errno } = FAULTS[fault];
  const onPostgres = backend.db === 'postgres';
  if (onPostgres)
    await backend.query(`CREATE OR REPLACE FUNCTION refuse_${state}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'not this one' USING ERRCODE = '${state}'; END $$`);
  for (const event of EVENTS) {
    const trigger = `CREATE TRIGGER refuse_${table}_${event} BEFORE ${event} ON durable_${table} FOR EACH ROW`;
    await backend.query(
      onPostgres
        ? `${trigger} WHEN (${condition}) EXECUTE FUNCTION refuse_${state}()`
        : `${trigger} IF ${condition} THEN SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = ${errno}, MESSAGE_TEXT = 'not this one'; END IF`,
    );
  }
}

async function accept(backend: OpenBackend): Promise<void> {
  for (const table of ['steps', 'step_logs'])
    for (const event of EVENTS) {
      const on = backend.db === 'postgres' ? ` ON durable_${table}` : '';
      await backend.query(`DROP TRIGGER IF EXISTS refuse_${table}_${event}${on}`);
    }
}

/** Those of a process are for connections that come and go; here all failures are meant. */
const blame: BlameLimits = {
  failures: 6,
  patienceMs: 1_000,
  retry: { delay: 50, factor: 2, maxDelay: 200, jitter: 'full' },
};

describeSqlHouses('what the database does not take of one run', (house) => {
  afterEach(() => accept(house().backend!));

  it.each(Object.keys(FAULTS) as Fault[])('holds up no neighbour, and blocks that run alone: %s', async (fault) => {
    let calls = 0;
    const patient = { ...blame, failures: Number.MAX_SAFE_INTEGER };
    const process = await house().boot({
      blame: patient,
      workflows: {
        poison: async (ctx) => {
          await ctx.step('before', () => 1);
          const text = await ctx.step('poisonous', () => (calls++, 'poison'));
          return ctx.step('after', () => text);
        },
        neighbour: async (ctx, n: number) => {
          for (let step = 0; step < 3; step++) await ctx.step(`s${step}`, () => n);
          return n;
        },
      },
    });
    const { client } = process;
    await refuse(house().backend!, fault, 'steps', "COALESCE(NEW.output, '') LIKE '%poison%'");
    const poison = await client.start('poison', null, { id: 'p' });
    await until('its word is refused', () => calls > 0);
    for (let n = 0; n < 5; n++) expect(await client.startAndWait('neighbour', n)).toBe(n);
    expect(await poison.status()).toMatchObject({ reason: null });
    patient.failures = blame.failures;
    const blocked = await until('it is blocked', async () => {
      const status = await poison.status();
      return status.reason !== null && status;
    });
    expect(blocked).toMatchObject({ status: 'suspended', reason: 'write_refused' });
    expect(blocked.reasonDetail).toMatch(/WriteRefusedError: .*"p" records .*not this one|…/);
    expect((await client.explain('p')).text).toContain('does not accept what it records');
    await accept(house().backend!);
    await client.retry('p');
    expect(await poison.result({ timeout: '120s' })).toBe('poison');
    expect(calls).toBe(2);
    const history = (await client.getStatus('p', { history: true })).history!;
    expect(history.map(({ name, status }) => [name, status])).toEqual([
      ['before', 'completed'],
      ['poisonous', 'completed'],
      ['after', 'completed'],
    ]);
  });

  it('blocks it also where nobody else writes, and says so in its log, once per activation', async () => {
    const { client } = await house().boot({
      blame,
      workflows: { poison: async (ctx) => ctx.step('s', () => 'poison') },
    });
    await refuse(house().backend!, 'a connection that is lost', 'steps', "COALESCE(NEW.output, '') LIKE '%poison%'");
    await client.start('poison', null, { id: 'p' });
    await until('it is blocked', async () => (await client.getStatus('p')).reason === 'write_refused');
    const { logs } = await client.getStatus('p', { history: true });
    expect(logs!.map(({ level }) => level)).toEqual(['warn']);
    expect(logs![0]!.message).toContain('does not accept what this run records');
    expect(logs![0]!.message).toContain('if its writes continue to fail, the run is blocked as write_refused');
    expect(logs![0]!.message).not.toContain('again');
    await client.retry('p');
    await until('it is blocked again', async () => {
      const { reason, ...status } = await client.getStatus('p', { history: true });
      return reason === 'write_refused' && status.logs!.length > 1;
    });
    expect((await client.getStatus('p', { history: true })).logs).toHaveLength(2);
  });

  it('blocks it also where the database takes that word only after some beats of the process', async () => {
    let [plays, refusals, refuses] = [0, 0, true];
    const process = await house().boot({
      blame,
      workflows: { poison: async (ctx) => ctx.step('s', () => (plays++, 'poison')) },
      hooks: {
        before: (call, [, , standstill]) => {
          if (call !== 'store.release' || standstill === undefined || !refuses) return;
          refusals++;
          throw new DatabaseError('The server is not there', true);
        },
      },
    });
    await refuse(house().backend!, 'a connection that is lost', 'steps', "COALESCE(NEW.output, '') LIKE '%poison%'");
    await process.client.start('poison', null, { id: 'p' });
    await until('its standstill is refused', () => refusals > 0);
    for (let beats = 0; beats < 5; beats++) await process.engine.heartbeat.tick();
    refuses = false;
    await until('it is blocked', async () => (await process.client.getStatus('p')).reason === 'write_refused');
    expect(plays).toBe(1);
  });

  it('is no fault of any run while the database takes nothing of anybody', async () => {
    const process = await house().boot({
      blame,
      workflows: { order: async (ctx, n: number) => ctx.step('s', () => n) },
    });
    const { client } = process;
    expect(await client.startAndWait('order', 0)).toBe(0);
    const tries: unknown[] = [];
    process.telemetry.on('loop.error', ({ error }) => void tries.push(error));
    for (const table of ['steps', 'step_logs'])
      await refuse(house().backend!, 'a connection that is lost', table, 'NEW.run_id IS NOT NULL');
    const runs = await Promise.all([1, 2, 3].map((n) => client.start('order', n)));
    await until(
      'each was tried more often than one that others outlive',
      () => tries.length > 3 * runs.length * blame.failures,
    );
    expect(tries.filter((error) => !(error instanceof DatabaseError))).toEqual([]);
    expect((await client.list({ blocked: true })).runs).toEqual([]);
    await accept(house().backend!);
    expect(await Promise.all(runs.map((run) => run.result({ timeout: '120s' })))).toEqual([1, 2, 3]);
  });
});
