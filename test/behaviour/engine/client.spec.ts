import { gate } from '../../support/gate.js';
import { describeHouses, TABLES, type House } from '../../support/processes.js';
import { until } from '../../support/until.js';

async function rows(house: House): Promise<number> {
  let count = 0;
  for (const table of TABLES.filter((name) => name !== 'nodes')) {
    count += (await house.backend!.query(`SELECT 1 AS n FROM durable_${table}`)).length;
  }
  return count;
}

describeHouses('the client', (house) => {
  it.each([
    ['a payload over the limit', { input: 'x'.repeat(2_000) }, {}, 'PAYLOAD_TOO_LARGE'],
    ['a value that has no JSON form', { input: { f: () => 1 } }, {}, 'NOT_SERIALIZABLE'],
    ['a promise for an input', { input: { p: Promise.resolve(1) } }, {}, 'NOT_SERIALIZABLE'],
    ['a run id of 200 characters', { input: 1 }, { id: 'x'.repeat(200) }, 'INVALID_ARGUMENT'],
    ['a run id that is no text', { input: 1 }, { id: 7 as never }, 'INVALID_ARGUMENT'],
    ['an empty run id', { input: 1 }, { id: '' }, 'INVALID_ARGUMENT'],
    ['a run id with NUL', { input: 1 }, { id: 'a\0b' }, 'INVALID_ARGUMENT'],
    ['a duration that is none', { input: 1 }, { delay: 'soon' as never }, 'INVALID_ARGUMENT'],
    ['a date that is none', { input: 1 }, { startAt: new Date(Number.NaN) }, 'INVALID_ARGUMENT'],
    ['a priority that is no whole number', { input: 1 }, { priority: 1.5 }, 'INVALID_ARGUMENT'],
  ])('refuses %s with a typed error, and writes nothing', async (_, { input }, options, code) => {
    const process = await house().boot({ payloadBytes: 1_000, workflows: { order: async () => 1 } });
    await expect(process.client.start('order', input, options)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(/pass |store /i) as string,
    });
    expect((await process.client.list()).runs).toEqual([]);
  });

  it('takes ids of 180 characters, counted as people do, and ids that differ in nothing but case or accents', async () => {
    const process = await house().boot({
      workflows: { order: async (ctx) => ctx.remote('far') },
      handlers: { far: () => 'fine' },
    });
    const ids = ['😀'.repeat(180), 'a', 'A', 'á', 'a '];
    for (const id of ids) expect((await process.client.start('order', id, { id })).created).toBe(true);
    for (const id of ids) expect(await process.client.result(id)).toBe('fine');
  });

  it('starts one id once; other arguments are a conflict (E2)', async () => {
    const process = await house().boot({ workflows: { order: async (_, input) => input, other: async () => 1 } });
    const asked = Array.from({ length: 30 }, () => process.client.start('order', { b: 1, a: [2] }, { id: 'r1' }));
    const handles = await Promise.all(asked);
    expect(handles.filter(({ created }) => created)).toHaveLength(1);
    expect((await process.client.start('order', { a: [2], b: 1 }, { id: 'r1' })).created).toBe(false);
    const conflict = { name: 'WorkflowIdConflictError', code: 'WORKFLOW_ID_CONFLICT', status: 409, workflowId: 'r1' };
    await expect(process.client.start('order', { a: [3], b: 1 }, { id: 'r1' })).rejects.toMatchObject(conflict);
    await expect(process.client.start('other', { b: 1, a: [2] }, { id: 'r1' })).rejects.toMatchObject(conflict);
    expect(await handles[0]!.result()).toEqual({ b: 1, a: [2] });
  });

  it('starts one id once, also where the same arguments come through JSON', async () => {
    const { client } = await house().boot({ workflows: { order: async () => 1 } });
    const lines = (note?: undefined) => ({
      order: { lines: [{ sku: 'a', note, count: -0 }, new Map([['k', { note }]])] },
    });
    const [full, bare] = [lines(), { order: { lines: [{ count: 0, sku: 'a' }, new Map([['k', {}]])] } }];
    const givens = [
      [{ a: 1, note: undefined }, { a: 1 }],
      [{ a: 1 }, { note: undefined, a: 1 }],
      [full, bare],
      [bare, full],
      [-0, 0],
      [new Set([{ a: undefined }]), new Set([{}])],
    ];
    for (const [n, [first, again]] of givens.entries()) {
      await client.start('order', first, { id: `r${n}` });
      expect((await client.start('order', again, { id: `r${n}` })).created).toBe(false);
    }
    for (const other of [{ a: null }, { a: 1, note: null }, [1], { a: 2 }, {}])
      await expect(client.start('order', other, { id: 'r0' })).rejects.toMatchObject({ code: 'WORKFLOW_ID_CONFLICT' });
  });

  it('waits for a result as long as it is told to, and not for runs that are not there', async () => {
    const hold = gate();
    const process = await house().boot({
      workflows: { order: (ctx) => ctx.step('hold', () => hold.opened.then(() => 7)) },
    });
    const handle = await process.client.start('order');
    await expect(handle.result({ timeout: 50 })).rejects.toMatchObject({
      name: 'ResultTimeoutError',
      code: 'RESULT_TIMEOUT',
    });
    const timed = process.client.startAndWait('order', null, { id: 'r2', timeout: '50ms' });
    await expect(timed).rejects.toMatchObject({ code: 'RESULT_TIMEOUT', workflowId: 'r2' });
    const waiting = [handle.result(), process.client.result('r2'), process.client.result('r2', { timeout: '1m' })];
    hold.open();
    expect(await Promise.all(waiting)).toEqual([7, 7, 7]);
    for (const ask of [
      () => process.client.result('no'),
      () => process.client.getStatus('no'),
      () => process.client.cancel('no'),
    ]) {
      await expect(ask()).rejects.toMatchObject({
        name: 'WorkflowNotFoundError',
        code: 'WORKFLOW_NOT_FOUND',
        status: 404,
      });
    }
  });

  it('hears of a result from another process', async () => {
    const engine = await house().boot({ workflows: { order: async () => 'far away' } });
    const client = await house().boot({ engine: false });
    expect(await client.client.startAndWait('order')).toBe('far away');
    await engine.stop();
  });

  it('tells what a run is doing', async () => {
    const hold = gate();
    const process = await house().boot({
      workflows: {
        order: async (ctx, input) => {
          await ctx.step('a', () => new Date(5));
          await ctx.step('hold', () => hold.opened);
          return input;
        },
      },
    });
    const handle = await process.client.start('order', { at: new Date(0) }, { id: 'r1' });
    await until(
      'a is recorded',
      async () => (await process.client.getStatus('r1', { history: true })).history!.length > 0,
    );
    expect(await handle.status()).toMatchObject({
      id: 'r1',
      workflow: 'order',
      version: 1,
      status: 'running',
      reason: null,
      input: { at: new Date(0) },
      output: null,
      error: null,
      finishedAt: null,
    });
    hold.open();
    await handle.result();
    const status = await process.client.getStatus('r1', { history: true });
    expect(status).toMatchObject({
      status: 'completed',
      output: { at: new Date(0) },
      finishedAt: expect.any(Date) as Date,
    });
    expect(status.history).toMatchObject([
      { seq: 0, kind: 'step', name: 'a', status: 'completed', failures: 0, output: new Date(5) },
      { seq: 1, name: 'hold', status: 'completed', output: undefined },
    ]);
  });

  it('lists every run once, page by page, newest first (E4)', async () => {
    const process = await house().boot({ engine: false });
    await Promise.all(
      Array.from({ length: 25 }, (_, n) => process.client.start(n % 5 ? 'order' : 'other', n, { id: `r${n}` })),
    );
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await process.client.list({ limit: 7, ...(cursor !== undefined && { cursor }) });
      seen.push(...page.runs.map(({ id }) => id));
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(seen).toHaveLength(25);
    expect(new Set(seen).size).toBe(25);
    expect((await process.client.list({ workflow: 'other' })).runs).toHaveLength(5);
    expect((await process.client.list({ status: 'completed' })).runs).toEqual([]);
    for (const bad of [{ limit: 0 }, { limit: 1.5 }, { limit: 1_001 }, { cursor: 'nonsense' }]) {
      await expect(process.client.list(bad)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    }
  });

  it('begins a delayed run when its time has come, and cancels one that has not begun', async () => {
    const process = await house().boot({ workflows: { order: async (ctx) => ctx.now() } });
    const before = Date.now();
    const soon = await process.client.start('order', null, { startAt: new Date(before + 300) });
    const late = await process.client.start('order', null, { delay: '1h' });
    expect(await late.status()).toMatchObject({ status: 'pending' });
    expect(((await soon.result()) as Date).getTime()).toBeGreaterThanOrEqual(before + 290);
    expect(await late.cancel()).toBe(true);
    await expect(late.result()).rejects.toMatchObject({ code: 'WORKFLOW_CANCELLED' });
    expect(await soon.cancel()).toBe(false);
  });

  it('an input that a worker cannot be given is refused where it is passed, and nothing is sent', async () => {
    const process = await house().boot({
      payloadBytes: 1_000,
      workflows: {
        order: async (ctx) => {
          const codes: unknown[] = [];
          for (const call of [
            () => ctx.remote('far', () => 1),
            () => ctx.remote('far', 'x'.repeat(2_000)),
            () => ctx.remote('x'.repeat(192)),
            () => ctx.remote('far', 1, { partition: 'x'.repeat(190) }),
            () => ctx.remote(7 as never),
          ]) {
            try {
              await (call() as Promise<unknown>);
            } catch (error) {
              codes.push((error as { code: string }).code);
            }
          }
          return codes;
        },
      },
    });
    const codes = await process.client.startAndWait('order');
    expect(codes).toEqual([
      'NOT_SERIALIZABLE',
      'PAYLOAD_TOO_LARGE',
      'INVALID_ARGUMENT',
      'INVALID_ARGUMENT',
      'INVALID_ARGUMENT',
    ]);
    if (house().kind === 'sql') expect(await rows(house())).toBe(1);
  });

  it('an output of the run that cannot be stored blocks the run', async () => {
    const process = await house().boot({ workflows: { order: async () => ({ f: () => 1 }) } });
    const { id } = await process.client.start('order');
    const { reason, reasonDetail } = await until('it is blocked', async () => {
      const status = await process.client.getStatus(id);
      return status.reason !== null && status;
    });
    expect(reason).toBe('programming_error');
    expect(reasonDetail).toMatch(/^SerializationError: The output of workflow "order" cannot be stored/);
  });
});
