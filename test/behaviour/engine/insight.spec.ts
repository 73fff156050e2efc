import type { ListRuns } from '../../../lib/engine/insight.js';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import type { ListOptions } from '../../../lib/engine/listing.js';
import { WorkflowSignal } from '../../../lib/engine/signals.js';
import { NonRetryableStepError } from '../../../lib/core/run-errors.js';
import { gate } from '../../support/gate.js';
import { describeHouses, describeSqlHouses, type Process } from '../../support/processes.js';
import { until } from '../../support/until.js';

const NO_WAIT = { delay: 1, factor: 1, jitter: 'none' } as const;

const park = (process: Process, id: string) =>
  until('the run is parked', async () => {
    await process.engine.residents.tick();
    return (await process.client.getStatus(id)).status === 'suspended';
  });

const messages = (lines: readonly { message: string }[] = []): string[] => lines.map(({ message }) => message);

describeHouses('what code says of its run', (house) => {
  it('is seen at once, and once, however often it is replayed', async () => {
    const order = async (ctx: WorkflowContext) => {
      ctx.log.info('begins', { n: 1, big: 5n });
      ctx.setStatus('waiting for pages');
      ctx.setAttributes({ customer: 'ü😀', amount: 5.25, paid: false, due: new Date(86_400_000), gone: 'x' });
      await ctx.remote('first');
      ctx.log.warn('between');
      ctx.setAttributes({ amount: -1e-9, gone: null });
      await ctx.remote('second');
      ctx.setStatus('done');
      ctx.log.error('ends');
      return ctx.workflowId;
    };
    const process = await house().boot({ residencyMs: 1, workflows: { order } });
    const heard: string[] = [];
    process.telemetry.on('step.log', ({ message }) => heard.push(message));
    const { id } = await process.client.start('order', null, { id: 'r1' });
    await park(process, id);
    expect(await process.client.getStatus(id)).toMatchObject({
      customStatus: 'waiting for pages',
      attributes: { customer: 'ü😀', amount: 5.25, paid: false, due: new Date(86_400_000), gone: 'x' },
    });
    const { stop } = process.serve({ first: () => 1 });
    await until('the second is asked for', async () => {
      const { history } = await process.client.getStatus(id, { history: true });
      return history!.some(({ name }) => name === 'second');
    });
    await park(process, id);
    void stop;
    process.serve({ second: () => 2 });
    await process.client.result(id);
    const seen = await process.client.getStatus(id, { history: true });
    expect(seen.customStatus).toBe('done');
    expect(seen.attributes).toEqual({ customer: 'ü😀', amount: -1e-9, paid: false, due: new Date(86_400_000) });
    expect(messages(seen.logs)).toEqual(['begins', 'between', 'ends']);
    expect(seen.logs![0]).toMatchObject({ level: 'info', fields: { n: 1, big: '5' }, attempt: null });
    expect(heard).toEqual(['begins', 'between', 'ends']);
    expect(seen.history!.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      ...['marker status', 'marker attributes', 'remote first', 'marker attributes', 'remote second', 'marker status'],
    ]);
  });

  it('is written once though its process dies anywhere, with lines between races', async () => {
    const body = async (ctx: WorkflowContext) => {
      for (let n = 0; n < 5; n++) {
        ctx.log.info(`before ${n}`);
        const [a, b] = await Promise.all([
          ctx.step(`a${n}`, () => n).then((value) => (ctx.log.info(`a ${n}`), value)),
          ctx.step(`b${n}`, () => n).then((value) => (ctx.log.info(`b ${n}`), value)),
        ]);
        ctx.setStatus(`${n}`);
        ctx.log.info(`after ${n} ${a + b}`);
      }
    };
    // Before the first commit, after it, before the second, and so on: until there are no more.
    for (let at = 0; ; at++) {
      let commits = 0;
      const died = gate();
      const die = (call: string) => {
        if (call !== 'store.commit' || ++commits !== Math.floor(at / 2) + 1) return;
        first.kill();
        died.open();
      };
      const hooks = at % 2 === 0 ? { before: die } : { after: die };
      const first: Process = await house().boot({ workflows: { order: body }, hooks });
      // The first one may die before it hears that its run has started.
      const outside = await house().boot({ engine: false });
      const { id, result } = await outside.client.start('order', null, { id: `run-${at}` });
      if (await Promise.race([result().then(() => true), died.opened.then(() => false)])) break;
      await house().bury(first);
      const second = await house().boot({ workflows: { order: body } });
      await second.client.result(id);
      const { logs } = await second.client.getStatus(id, { history: true });
      const lines = messages(logs);
      expect(lines).toHaveLength(20);
      expect(new Set(lines).size).toBe(20);
      for (let n = 0; n < 5; n++)
        expect(lines.indexOf(`before ${n}`)).toBeLessThan(lines.indexOf(`after ${n} ${2 * n}`));
      second.kill();
      await house().bury(second);
    }
  });

  it('is checked before anything is recorded', async () => {
    const wrong: Record<string, (ctx: WorkflowContext) => void> = {
      status: (ctx) => ctx.setStatus(5 as never),
      name: (ctx) => ctx.setAttributes({ '': 1 }),
      long: (ctx) => ctx.setAttributes({ ['n'.repeat(65)]: 1 }),
      nan: (ctx) => ctx.setAttributes({ a: NaN }),
      date: (ctx) => ctx.setAttributes({ a: new Date(NaN) }),
      object: (ctx) => ctx.setAttributes({ a: {} as never }),
      many: (ctx) => ctx.setAttributes(Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`a${n}`, n]))),
      added: (ctx) => {
        for (let n = 0; n < 51; n++) ctx.setAttributes({ [`a${n}`]: n });
      },
    };
    const process = await house().boot({
      workflows: {
        order: async (ctx, name: string) => {
          ctx.setAttributes({ ['n'.repeat(64)]: '😀'.repeat(191) });
          wrong[name]!(ctx);
        },
      },
    });
    for (const name of Object.keys(wrong)) {
      const { id } = await process.client.start('order', name);
      await until('it is blocked', async () => (await process.client.getStatus(id)).reason === 'programming_error');
      expect((await process.client.getStatus(id)).attributes).toMatchObject({ ['n'.repeat(64)]: '😀'.repeat(191) });
    }
  });
});

describeHouses('the history of a run', (house) => {
  it('has every attempt of every kind of step, with its times, its error and its lines', async () => {
    let tries = 0;
    const retry = { attempts: 3, backoff: NO_WAIT };
    const process = await house().boot({
      worker: { leaseMs: 30_000 },
      handlers: {
        far: (input: unknown) => {
          if (++tries < 3) throw Object.assign(new Error(`far ${tries}`), { code: 'FAR' });
          return input;
        },
      },
      workflows: {
        order: async (ctx) => {
          await ctx.step(
            'near',
            ({ attempt, log }) => {
              log.info(`try ${attempt}`, { attempt });
              if (attempt < 3) throw Object.assign(new Error(`near ${attempt}`), { code: 'NEAR' });
            },
            { retry },
          );
          await ctx.remote('far', 1, { retry });
          await ctx.step('never', () => Promise.reject(new NonRetryableStepError('no', 'NO'))).catch(() => undefined);
        },
      },
    });
    const { id } = await process.client.start('order');
    await process.client.result(id);
    const { history } = await process.client.getStatus(id, { history: true });
    const [near, far, never] = history!;
    const errors = (step: typeof near) => step!.attempts.map(({ attempt, error }) => [attempt, error?.code ?? null]);
    expect(errors(near)).toEqual([
      [1, 'NEAR'],
      [2, 'NEAR'],
      [3, null],
    ]);
    expect(errors(far)).toEqual([
      [1, 'FAR'],
      [2, 'FAR'],
      [3, null],
    ]);
    expect(errors(never)).toEqual([[1, 'NO']]);
    expect(near!.logs.map(({ message, attempt, fields }) => [message, attempt, fields])).toEqual(
      [1, 2, 3].map((attempt) => [`try ${attempt}`, attempt, { attempt }]),
    );
    for (const { startedAt, finishedAt } of [...near!.attempts, ...far!.attempts]) {
      expect(startedAt!.getTime()).toBeLessThanOrEqual(finishedAt!.getTime() + 1);
    }
    const begun = near!.attempts.map(({ startedAt }) => startedAt!.getTime());
    expect(begun).toEqual([...begun].sort((a, b) => a - b));
  });

  it('of a run that stands still says where code and history part (E14)', async () => {
    const hold = gate();
    const old = await house().boot({
      workflows: {
        order: async (ctx) => {
          await ctx.step('a "quoted"', () => 1);
          await ctx.step('hold', () => hold.opened);
        },
      },
    });
    const { id } = await old.client.start('order');
    await until('it has recorded', async () => (await old.client.getStatus(id, { history: true })).history!.length > 0);
    old.kill();
    hold.open();
    await house().bury(old);
    const next = await house().boot({ workflows: { order: (ctx) => ctx.step('b', () => 1) } });
    const blocked = await until('it is blocked', async () => {
      const { runs } = await next.client.list({ blocked: true });
      return runs[0];
    });
    expect(blocked).toMatchObject({
      id,
      reason: 'non_determinism',
      mismatch: { seq: 0, recorded: 'step "a "quoted""', asked: 'step "b"' },
    });
    expect(blocked.reasonDetail).toMatch(/^NonDeterminismError: .* its history, or give changed code a new version$/);
    // A process that has just started plays it once more.
    const said = await until('it is explained', async () => {
      const { text } = await next.client.explain(id);
      return !text.includes('is executed by process') && text;
    });
    expect(said.replace(/, at \S+ \(\S+insight\.spec\.[jt]s:\d+:\d+\)/, ', at HERE')).toBe(
      `Run "${id}" of "order" (version 1) is blocked: its code does not fit its history: at position 0 step "a "quoted"" is recorded, and the code asks for step "b", at HERE. It continues after retry with code that fits or, where no step has failed, when a process starts with it; until then nothing more is compensated.`,
    );
  });
});

describeHouses('a run that waits for signals', (house) => {
  it('says which, also after one that it did not want', async () => {
    const [approved, stop] = [new WorkflowSignal<number>('approved'), new WorkflowSignal('stop')];
    const seen: number[] = [];
    const process = await house().boot({
      workflows: {
        order: (ctx) =>
          ctx.waitForAny('answer', {
            approved: ctx.signalWait(approved, { key: 'order-7', match: (n) => seen.push(n) > 0 && n > 1 }),
            stop: ctx.signalWait(stop),
            late: ctx.timer('1d'),
          }),
        plain: (ctx) => ctx.waitForSignal('approval', approved),
      },
    });
    const { client } = process;
    const { id } = await client.start('order');
    const plain = await client.start('plain');
    const waits = async (of: string) => (await client.explain(of)).waitingFor;
    await until('both wait', async () => (await waits(id)).length + (await waits(plain.id)).length === 2);
    await client.signal(approved, 1, { key: 'order-7' });
    await until('it has refused one', () => seen.length === 1);
    const [wait] = await waits(id);
    const signals = [
      { name: 'approved', key: 'order-7' },
      { name: 'stop', key: null },
    ];
    expect(wait).toMatchObject({ kind: 'signal', name: 'answer', signals });
    expect(wait!.text).toMatch(
      /^signal "approved" \(key "order-7"\) or "stop" in step "answer" \(position 0\) until 20/,
    );
    const forever = 'signal "approved" in step "approval" (position 0), without a deadline';
    expect((await waits(plain.id))[0]!.text).toBe(forever);
    const { history } = await client.getStatus(id, { history: true });
    expect(history).toMatchObject([{ name: 'answer', status: 'pending', output: null }]);
    await client.signal(approved, 2, { key: 'order-7' });
    expect(await client.result(id)).toEqual({ key: 'approved', value: 2 });
  });
});

describeSqlHouses('lines of remote steps', (house) => {
  it('are kept with their attempt, cut where they are long, and of runs that are there only', async () => {
    const process = await house().boot({
      handlers: {
        far: (n: number, step) => {
          step.log.info('ü😀\0'.repeat(n), { n });
          for (let line = 0; line < 1_100; line++) step.log.debug(`line ${line}`);
          if (step.attempt === 1) throw new Error('again');
          return n;
        },
      },
      workflows: { order: (ctx) => ctx.remote('far', 9_000, { retry: { attempts: 2, backoff: NO_WAIT } }) },
    });
    const { id } = await process.client.start('order');
    await process.client.result(id);
    const lines = await until('they are written', async () => {
      const [far] = (await process.client.getStatus(id, { history: true })).history!;
      return far!.logs.length === 2_000 ? far!.logs : undefined;
    });
    for (const attempt of [1, 2]) {
      const tried = lines.filter((line) => line.attempt === attempt);
      expect(tried).toHaveLength(1_000);
      expect(tried[0]).toMatchObject({ level: 'info', fields: { n: 9_000 } });
      expect(tried[0]!.message.slice(0, 4)).toBe('ü😀\uFFFD');
      expect(tried[0]!.message).toMatch(/… \(cut: \d+ characters\)$/);
      expect(Buffer.byteLength(tried[0]!.message)).toBeLessThan(65_536);
      expect(tried.slice(1, 999).map(({ message }) => message)).toEqual(
        Array.from({ length: 998 }, (_, line) => `line ${line}`),
      );
      expect([tried[999]!.level, tried[999]!.message.slice(0, 14)]).toEqual(['warn', 'Too many lines']);
    }
    await process.storage.stepLogs!.write([
      { runId: 'gone', seq: 0, attempt: 1, level: 'info', message: 'x', fields: null, loggedAt: 1 },
    ]);
    expect(await process.storage.insight.logs('gone')).toEqual([]);
  });
});

describeHouses('a list of runs', (house) => {
  it('is filtered by all that is known of them, and checked before it is read', async () => {
    const process = await house().boot({
      workflows: { order: async () => 1, parent: (ctx) => ctx.executeChild('order', null, { id: 'child' }) },
    });
    const { client } = process;
    for (let n = 0; n < 5; n++) {
      await client.startAndWait('order', n, { id: `r${n}`, attributes: { n, customer: n < 2 ? 'acme' : 'other' } });
    }
    await client.startAndWait('parent', null, { id: 'p' });
    await client.start('elsewhere', null, { id: 'e', version: 3 });
    const found = async (options: ListOptions) => (await client.list(options)).runs.map(({ id }) => id).sort();
    expect(await found({ attributes: { customer: 'acme' } })).toEqual(['r0', 'r1']);
    expect(await found({ attributes: { n: { gte: 1, lt: 4 }, customer: 'other' } })).toEqual(['r2', 'r3']);
    expect(await found({ parent: 'p' })).toEqual(['child']);
    expect(await found({ version: 3, status: 'pending', workflow: 'elsewhere' })).toEqual(['e']);
    expect(await found({ status: 'completed', workflow: 'parent' })).toEqual(['p']);
    expect(await found({ createdBefore: new Date(5) })).toEqual([]);
    expect((await client.list({ attributes: { n: 3 } })).runs[0]!.attributes).toEqual({ n: 3, customer: 'other' });
    const { children } = await client.getStatus('p', { children: true });
    expect(children).toMatchObject([{ id: 'child', status: 'completed', parentId: 'p', parentClose: 'cancel' }]);
    const wrong: unknown[] = [
      ...[{ limit: 0 }, { limit: 1_001 }, { order: 'new' }, { status: 'done' }, { reason: ['why'] }, { version: 1.5 }],
      ...[{ cursor: 'x' }, { createdAfter: new Date(NaN) }, { attributes: { a: { above: 5 } } }, { parent: '' }],
      ...[{ attributes: { a: {} } }, { attributes: { a: { gt: 1, lt: new Date(0) } } }, { attributes: { '': 1 } }],
    ];
    for (const options of wrong)
      await expect(client.list(options as never)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(client.getStatus('p', { children: { limit: 0 } })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(client.explain('unknown')).rejects.toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
  });
});

describeSqlHouses('a list of many runs', (house) => {
  it('looks at a bounded number for each page, and still comes to every run that fits', async () => {
    const { storage } = await house().boot({ engine: false });
    const { catalog } = storage;
    const many = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => ({
        id: `m${String(from + n).padStart(5, '0')}`,
        namespace: '',
        workflow: 'bulk',
        version: 1,
        input: 'null',
        priority: 0,
        delayMs: 0,
      }));
    await catalog.create([{ ...many(0, 1)[0]!, id: 'rare', workflow: 'rare', attributes: { rare: true } }]);
    for (let from = 0; from < 10_400; from += 2_600) await catalog.create(many(from, 2_600));
    // What an index knows is found at once.
    const attributes = [{ name: 'rare', compare: [{ how: '=' as const, value: true }] }];
    const known = await catalog.list({ namespace: '', attributes, limit: 10 });
    expect([known.runs.length, known.next]).toEqual([1, undefined]);
    const allOf = async (query: Omit<ListRuns, 'namespace'>) => {
      const seen: string[] = [];
      for (let past: ListRuns['past']; ;) {
        const page = await catalog.list({ namespace: '', ...query, ...(past && { past }) });
        seen.push(...page.runs.map(({ id }) => id));
        past = page.next;
        if (!past) return seen;
      }
    };
    expect(await allOf({ workflow: 'rare', limit: 10 })).toEqual(['rare']);
    const seen = await allOf({ limit: 1_000, order: 'oldest' });
    expect(seen).toHaveLength(10_401);
    expect(new Set(seen).size).toBe(10_401);
  });
});
