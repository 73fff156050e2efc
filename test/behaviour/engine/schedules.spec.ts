import type { DeclaredSchedule } from '../../../lib/engine/schedules.js';
import type { TelemetryEvents } from '../../../lib/core/telemetry.js';
import { ManualClock } from '../../../lib/core/time.js';
import { inAppTransaction } from '../../support/app-transactions.js';
import type { Body } from '../../support/engine-parts.js';
import { gate } from '../../support/gate.js';
import { describeHouses, describeSqlHouses, type House, type Process } from '../../support/processes.js';
import { until } from '../../support/until.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const clock = new ManualClock();
const answer: Body = async (_, input) => input;

const runsOf = async ({ storage }: Process, workflow = 'report') =>
  (await storage.catalog.list({ namespace: '', workflow, limit: 10_000 })).runs.sort((a, b) => (a.id < b.id ? -1 : 1));

const iso = (time: number) => new Date(time).toISOString();

/** Turns the clock to `ms` after the next full hour. */
const toTheHour = (ms = 0) => {
  const now = clock.now();
  clock.advance(Math.ceil((now + 1) / HOUR) * HOUR - now + ms);
};

/** Whatever looks without being asked does so meanwhile, often. */
const manyRuns = async ({ client }: Process) => {
  for (let n = 0; n < 30; n++) await client.startAndWait('report', n);
};

/** The times of the runs, once there are so many. */
const fired = (process: Process, count: number, workflow?: string): Promise<string[]> =>
  until(`${count} runs`, async () => {
    const ids = (await runsOf(process, workflow)).map(({ id }) => id);
    return ids.length >= count && ids;
  });

/** Resolves once the process has looked at its schedules after whatever came before. */
async function looked(process: Process): Promise<void> {
  const { at } = await process.storage.schedules.look({ namespace: '', workflows: ['report'], except: [] });
  if (at !== null && at <= clock.now())
    await until('what is due is dealt with', async () => {
      const view = await process.storage.schedules.look({ namespace: '', workflows: ['report'], except: [] });
      return view.at === null || view.at > clock.now();
    });
}

const failures = (process: Process): TelemetryEvents['schedule.failed'][] => {
  const seen: TelemetryEvents['schedule.failed'][] = [];
  process.telemetry.on('schedule.failed', (event) => seen.push(event));
  return seen;
};

/** A process that declares schedules of the workflow `report`. */
async function declaring(house: House, schedules: readonly DeclaredSchedule[], run: Body = answer): Promise<Process> {
  const process = await house.boot({ engine: false, role: 'engine' });
  process.registry.register({ name: 'report', version: 1, runner: { run }, schedules });
  await process.start();
  return process;
}

/** The same, and the schedules that it has found to be declared no longer. */
async function declared(house: House, schedules: readonly DeclaredSchedule[]) {
  const process = await house.boot({ engine: false, role: 'engine' });
  const removed: TelemetryEvents['schedule.removed'][] = [];
  process.telemetry.on('schedule.removed', (event) => removed.push(event));
  process.registry.register({ name: 'report', version: 1, runner: { run: answer }, schedules });
  await process.start();
  return { process, removed };
}

describeHouses(
  'a schedule',
  (house) => {
    it('begins a run for each of its times, once each, whatever the number of processes (E10)', async () => {
      const [one] = await Promise.all([1, 2, 3].map(() => house().boot({ workflows: { report: answer } })));
      toTheHour(1);
      const start = clock.now() - 1;
      await one!.schedules.create('report', { id: 'r', every: '10m', input: { at: new Date(5) } });
      for (let n = 1; n <= 3; n++) {
        clock.advance(10 * MINUTE);
        const ids = await fired(one!, n);
        // Or the next would be left out.
        await one!.client.result(ids.at(-1)!);
      }
      expect(await fired(one!, 3)).toEqual([1, 2, 3].map((n) => `r@${iso(start + n * 10 * MINUTE)}`));
      expect(await one!.client.result(`r@${iso(start + 10 * MINUTE)}`)).toEqual({ at: new Date(5) });
      expect((await runsOf(one!)).map(({ scheduleId }) => scheduleId)).toEqual(['r', 'r', 'r']);
      expect(await one!.schedules.get('r')).toMatchObject({
        workflow: 'report',
        paused: false,
        declared: false,
        input: { at: new Date(5) },
        lastFiredAt: new Date(start + 30 * MINUTE),
        nextAt: new Date(start + 40 * MINUTE),
        lastRunId: `r@${iso(start + 30 * MINUTE)}`,
      });
    });

    it('leaves out, lets be, or cancels: what was said of a run that has not ended', async () => {
      const held = gate();
      const process = await house().boot({ workflows: { report: async () => held.opened } });
      toTheHour();
      for (const overlap of ['skip', 'allow', 'cancel-previous'] as const)
        await process.schedules.create('report', { id: overlap, every: '1h', overlap });
      const skipped: TelemetryEvents['schedule.skipped'][] = [];
      process.telemetry.on('schedule.skipped', (event) => skipped.push(event));
      for (let n = 0; n < 3; n++) {
        toTheHour();
        await looked(process);
      }
      const statuses = await until('all of them run', async () => {
        const runs = await runsOf(process);
        const running = runs.filter(({ status }) => status === 'running').length;
        const cancelled = runs.filter(({ status }) => status === 'cancelled').length;
        return running === 5 && cancelled === 2 && runs.map(({ scheduleId, status }) => `${scheduleId} ${status}`);
      });
      expect(statuses).toEqual([
        ...['allow running', 'allow running', 'allow running'],
        ...['cancel-previous cancelled', 'cancel-previous cancelled', 'cancel-previous running'],
        'skip running',
      ]);
      // Told after the commit that others see already.
      await until('both are told', () => skipped.length >= 2);
      const { lastRunId: runId } = await process.schedules.get('skip');
      expect(skipped).toEqual([1, 2].map(() => ({ scheduleId: 'skip', workflow: 'report', times: 1, runId })));
      const heldUp = async () => (await process.schedules.list()).map(({ id, heldUpBy }) => [id, heldUpBy]);
      const none = [
        ['allow', undefined],
        ['cancel-previous', undefined],
      ];
      expect(await heldUp()).toEqual([...none, ['skip', runId]]);
      await process.schedules.pause('skip');
      expect((await process.schedules.get('skip')).heldUpBy).toBeUndefined();
      await process.schedules.resume('skip');
      held.open();
      await process.client.result(runId!);
      expect(await heldUp()).toEqual([...none, ['skip', undefined]]);
    });

    it('holds one firing back until the run before has ended, here or elsewhere', async () => {
      const held = gate();
      const [one, two] = await Promise.all(
        [1, 2].map(() => house().boot({ workflows: { report: async () => held.opened } })),
      );
      toTheHour();
      await one!.schedules.create('report', { id: 'b', every: '1h', overlap: 'buffer-one' });
      for (let n = 0; n < 3; n++) {
        toTheHour();
        await looked(one!);
      }
      const second = clock.now() - HOUR;
      const [first] = await runsOf(one!);
      expect(await runsOf(one!)).toHaveLength(1);
      expect((await two!.schedules.get('b')).heldUpBy).toBe(first!.id);
      await until('both know of it', () =>
        one!.storage.schedules
          .look({ namespace: '', workflows: ['report'], except: [] })
          .then(({ buffered }) => buffered.length === 1),
      );
      held.open();
      expect(await fired(two!, 2)).toEqual([`b@${iso(second - HOUR)}`, `b@${iso(second)}`]);
      expect((await one!.schedules.get('b')).nextAt).toEqual(new Date(second + 2 * HOUR));
    });

    it('is paused, resumed, triggered, changed and deleted', async () => {
      const process = await house().boot({ workflows: { report: answer } });
      const { schedules } = process;
      toTheHour();
      const start = clock.now();
      await schedules.create('report', { id: 'a', cron: '0 * * * *', input: 1 });
      await schedules.pause('a');
      expect(await schedules.get('a')).toMatchObject({ paused: true, nextAt: undefined });
      toTheHour();
      const run = await schedules.trigger('a');
      expect(run).toMatch(/^a@.+Z\+[0-9a-f]{6}$/);
      expect(await process.client.result(run)).toBe(1);
      expect(await runsOf(process)).toHaveLength(1);
      await schedules.resume('a');
      expect((await schedules.get('a')).nextAt).toEqual(new Date(start + 2 * HOUR));
      await schedules.update('a', { cron: '30 * * * *', input: 2, endAt: new Date(start + 3 * HOUR) });
      expect((await schedules.get('a')).nextAt).toEqual(new Date(start + 1.5 * HOUR));
      expect(await schedules.preview('a')).toEqual([1.5, 2.5].map((n) => new Date(start + n * HOUR)));
      await schedules.update('a', { every: '2h', from: new Date(start + HOUR), endAt: null });
      expect((await schedules.get('a')).options).toMatchObject({ every: 2 * HOUR, overlap: 'skip' });
      expect(await schedules.preview('a', 2)).toEqual([3, 5].map((n) => new Date(start + n * HOUR)));
      clock.advance(2 * HOUR);
      await fired(process, 2);
      expect(await process.client.result(`a@${iso(start + 3 * HOUR)}`)).toBe(2);
      expect(await schedules.delete('a')).toBe(true);
      expect(await schedules.delete('a')).toBe(false);
      for (const call of ['get', 'pause', 'resume', 'trigger', 'preview'] as const)
        await expect(schedules[call]('a')).rejects.toMatchObject({ code: 'SCHEDULE_NOT_FOUND' });
    });

    it('is created once: the same again is no conflict, another is', async () => {
      const { schedules } = await house().boot({ engine: false, workflows: { report: answer } });
      const plan = { id: 'a', cron: '0 9 * * *', timeZone: 'Europe/Berlin', input: { b: 1 } };
      await schedules.create('report', plan);
      await schedules.create('report', { ...plan, input: { note: undefined, b: 1 } });
      for (const [other, difference] of [
        [{ ...plan, cron: '0 10 * * *' }, 'plan'],
        [{ ...plan, input: 1 }, 'input'],
      ] as const)
        await expect(schedules.create('report', other)).rejects.toThrow(`"a" exists with another ${difference}`);
      await expect(schedules.create('other', plan)).rejects.toMatchObject({ code: 'SCHEDULE_CONFLICT' });
      await expect(schedules.create('report', { ...plan, id: 'x'.repeat(149) })).rejects.toThrow(
        /at most 148 characters/,
      );
      await expect(schedules.create('report', { ...plan, input: () => 1 })).rejects.toMatchObject({
        code: 'NOT_SERIALIZABLE',
      });
      await expect(schedules.create('report', { ...plan, cron: 'never' })).rejects.toThrow(
        /^Schedule "a": cron is "never"/,
      );
      await schedules.create('report', { id: 'b', every: '1h', paused: true });
      expect((await schedules.list()).map(({ id, nextAt }) => [id, nextAt !== undefined])).toEqual([
        ['a', true],
        ['b', false],
      ]);
      expect((await schedules.list({ after: 'a' })).map(({ id }) => id)).toEqual(['b']);
      expect(await schedules.list({ workflow: 'other' })).toEqual([]);
      expect(await schedules.preview({ cron: '0 0 29 2 *' }, 2)).toEqual([
        new Date('2028-02-29'),
        new Date('2032-02-29'),
      ]);
    });

    it('makes up for a downtime as was said', async () => {
      const before = await house().boot({ workflows: { report: answer } });
      toTheHour();
      const start = clock.now();
      for (const missed of ['skip', 'once', 'all'] as const)
        await before.schedules.create('report', { id: missed, every: '1h', missed, overlap: 'allow' });
      before.kill();
      clock.advance(4.5 * HOUR);
      await house().bury(before);
      const after = await house().boot({ workflows: { report: answer } });
      const [h1, h2, h3, h4] = [1, 2, 3, 4].map((n) => iso(start + n * HOUR));
      expect(await fired(after, 5)).toEqual([`all@${h1}`, `all@${h2}`, `all@${h3}`, `all@${h4}`, `once@${h4}`]);
      await looked(after);
      clock.advance(0.5 * HOUR);
      expect(await fired(after, 8)).toEqual(expect.arrayContaining([`skip@${iso(start + 5 * HOUR)}`]));
      expect(await runsOf(after)).toHaveLength(8);
    });

    it('makes up for thousands of times, and goes on with the next', async () => {
      const process = await house().boot({ engine: false, role: 'engine', workflows: { report: answer } });
      await process.schedules.create('report', { id: 'a', every: '1m', missed: 'all', overlap: 'allow' });
      clock.advance(2_500 * MINUTE);
      await process.start();
      const moreThan = (count: number) =>
        until('more of them', async () => {
          const { length } = await runsOf(process);
          return length > count && length;
        });
      let made = 0;
      while (made < 2_500) made = await moreThan(made);
      expect(made).toBe(2_500);
    });

    it('is written down as the code declares it, and keeps its times and its pause', async () => {
      toTheHour(1);
      const start = clock.now() - 1;
      const first = await declaring(house(), [
        { id: 'report-1', every: '1h', input: 1 },
        { id: 'nightly', cron: '@daily' },
      ]);
      const known = async ({ schedules }: Process, count: number) =>
        until('they are written', async () => {
          const list = await schedules.list();
          return list.length === count && list;
        });
      expect(await known(first, 2)).toMatchObject([
        { id: 'nightly', declared: true, input: null },
        { id: 'report-1', declared: true, input: 1, nextAt: new Date(start + HOUR) },
      ]);
      await first.schedules.pause('nightly');
      clock.advance(0.5 * HOUR);
      await first.schedules.create('report', { id: 'mine', every: '1h' });
      // The plan is the same, the input is not: the time stays.
      const second = await declaring(house(), [
        { id: 'report-1', every: '1h', input: 2 },
        { id: 'nightly', cron: '@hourly' },
      ]);
      await until('it is replaced', async () => (await second.schedules.get('report-1')).input === 2);
      expect(await known(second, 3)).toMatchObject([
        { id: 'mine', declared: false },
        { id: 'nightly', paused: true, nextAt: undefined, options: { cron: '@hourly' } },
        { id: 'report-1', nextAt: new Date(start + HOUR) },
      ]);
      const third = await declared(house(), []);
      expect(await known(second, 1)).toMatchObject([{ id: 'mine' }]);
      await until('it is told', () => third.removed.length === 2);
      expect(third.removed.sort((a, b) => (a.scheduleId < b.scheduleId ? -1 : 1))).toEqual([
        { scheduleId: 'nightly', workflow: 'report', stood: 'paused' },
        { scheduleId: 'report-1', workflow: 'report' },
      ]);
    });

    it('goes on under another id as it was, where its times and its input are the same', async () => {
      toTheHour(1);
      const start = clock.now() - 1;
      const times = { every: '1h', jitter: '10m' } as const;
      const first = await declaring(house(), [{ ...times, input: 'it' }]);
      await until('it is written', async () => (await first.schedules.list()).length === 1);
      clock.advance(HOUR + 10 * MINUTE);
      const [run] = await fired(first, 1);
      await first.client.result(run!);
      const by = { actor: 'ada', reason: 'a test', until: new Date(start + 3.5 * HOUR) };
      await first.client.hold({ schedule: 'report' }, by);
      const { removed, process: second } = await declared(house(), [
        { id: 'evening', ...times, input: 'another' },
        { id: 'morning', ...times, input: 'it' },
      ]);
      const [evening, morning] = await until('both are there', async () => {
        const list = await second.schedules.list();
        return list.length === 2 && list;
      });
      expect(evening).toMatchObject({ id: 'evening', paused: false, lastRunId: undefined });
      expect(morning).toMatchObject({ id: 'morning', paused: true, lastRunId: run });
      expect(morning!.lastFiredAt).toEqual(new Date(start + HOUR));
      // The delay is that of the new id, within the time after the hold.
      expect([morning!.nextAt]).toEqual(await second.schedules.preview('morning', 3).then((next) => next.slice(2)));
      await until('it is told', () => removed.length === 1);
      expect(removed).toEqual([{ scheduleId: 'report', workflow: 'report', stood: 'held', continuesAs: 'morning' }]);
      const { until: end, ...who } = by;
      expect(await second.storage.holds.list('')).toMatchObject([
        { kind: 'schedule', name: 'morning', ...who, until: end },
      ]);
      clock.advance(3 * HOUR);
      await until('it fires after the hold', async () =>
        (await runsOf(second)).some(({ id }) => id === `morning@${iso(start + 4 * HOUR)}`),
      );
      expect((await runsOf(second)).filter(({ id }) => id.startsWith('morning'))).toHaveLength(1);
      // The hold of one that is gone is gone too.
      await second.client.hold({ schedule: 'evening' }, { actor: 'ada', reason: 'a test' });
      const third = await declared(house(), [{ id: 'morning', ...times, input: 'it' }]);
      await until('it is told', () => third.removed.length === 1);
      expect(third.removed).toMatchObject([{ scheduleId: 'evening', stood: 'held' }]);
      expect(await second.storage.holds.list('')).toEqual([]);
    });

    it('that is held until a time goes on after it with its new plan, not with a time of the old one', async () => {
      toTheHour(1);
      const start = clock.now() - 1;
      const process = await declaring(house(), [{ id: 'declared', every: '1h' }]);
      await until('it is written', async () => (await process.schedules.list()).length === 1);
      await process.schedules.create('report', { id: 'mine', every: '1h' });
      const by = { actor: 'ada', reason: 'a test', until: new Date(start + 2.6 * HOUR) };
      const held: TelemetryEvents['hold.begun'][] = [];
      process.telemetry.on('hold.begun', (event) => held.push(event));
      for (const schedule of ['declared', 'mine']) await process.client.hold({ schedule }, by);
      const { until: end, ...who } = by;
      expect(held[1]).toEqual({ kind: 'schedule', name: 'mine', ...who, until: end.toISOString() });
      await process.schedules.update('mine', { every: '15m' });
      const second = await declaring(house(), [{ id: 'declared', every: '15m' }]);
      const nextAt = new Date(start + 2.75 * HOUR);
      const isReplaced = async () => +(await second.schedules.get('declared')).nextAt! !== start + 3 * HOUR;
      await until('it is replaced', isReplaced);
      expect(await second.schedules.list()).toMatchObject([
        { id: 'declared', paused: true, nextAt },
        { id: 'mine', paused: true, nextAt },
      ]);
      // A pause has no end, whatever the hold had.
      await process.schedules.pause('mine');
      await process.schedules.update('mine', { every: '30m' });
      expect(await process.schedules.get('mine')).toMatchObject({ paused: true, nextAt: undefined });
    });

    it('leaves those that other workflows declare to the processes that have them', async () => {
      const reports = await declaring(house(), [{ every: '1h' }]);
      await until('it is written', async () => (await reports.schedules.list()).length === 1);
      const other = await house().boot({ workflows: { other: answer } });
      await other.schedules.create('other', { id: 'o', every: '1h' });
      toTheHour();
      await fired(other, 1, 'other');
      expect((await reports.schedules.list()).map(({ id }) => id)).toEqual(['o', 'report']);
      await fired(reports, 1);
    });

    it('that cannot fire says so and is tried again; the others go on', async () => {
      const process = await house().boot({ workflows: { report: answer } });
      const failed = failures(process);
      toTheHour();
      for (const id of ['bad', 'good', 'taken']) await process.schedules.create('report', { id, every: '1h' });
      const { spec } = (await process.storage.schedules.list({ namespace: '', ids: ['bad'] }))[0]!;
      const put = (text: string) =>
        process.storage.schedules.change({ namespace: '', ids: ['bad'] }, async ([bad]) => [{ ...bad!, spec: text }]);
      await put('{');
      const hour = iso(clock.now() + HOUR);
      await process.client.start('report', 'mine', { id: `taken@${hour}` });
      toTheHour();
      expect(await fired(process, 2)).toEqual([`good@${hour}`, `taken@${hour}`]);
      await until('both are told', () =>
        ['bad', 'taken'].every((id) => failed.some(({ scheduleId }) => scheduleId === id)),
      );
      expect(failed.find(({ scheduleId }) => scheduleId === 'taken')).toMatchObject({
        error: { code: 'WORKFLOW_ID_CONFLICT' },
      });
      expect(failed.find(({ scheduleId }) => scheduleId === 'bad')).toMatchObject({ retryInMs: 1_000 });
      await put(spec);
      clock.advance(1_000);
      expect(await fired(process, 3)).toEqual([`bad@${hour}`, `good@${hour}`, `taken@${hour}`]);
    });

    it('that could not fire, and is gone by the time it is tried again, is looked for no longer', async () => {
      let calls = 0;
      const hooks = { before: (call: string) => void (call === 'schedules.look' && calls++) };
      const process = await house().boot({ workflows: { report: answer }, hooks });
      const failed = failures(process);
      toTheHour();
      await process.schedules.create('report', { id: 'bad', every: '1h' });
      await process.schedules.create('report', { id: 'far', every: '365d' });
      await process.storage.schedules.change({ namespace: '', ids: ['bad'] }, async ([bad]) => [
        { ...bad!, spec: '{' },
      ]);
      toTheHour();
      await until('it is told', () => failed.length > 0);
      await process.schedules.delete('bad');
      clock.advance(10_000);
      await until('it looks no longer', async () => {
        const before = calls;
        await manyRuns(process);
        return calls - before < 3;
      });
    });

    it('costs one look in half a minute while nothing is due', async () => {
      let calls = 0;
      const hooks = { before: (call: string) => void (call.startsWith('schedules.') && calls++) };
      const process = await house().boot({ workflows: { report: answer }, hooks });
      await process.schedules.create('report', { id: 'a', every: '365d' });
      await process.client.startAndWait('report', 1);
      await until('it is seen', () => calls >= 3);
      const quiet = async () => {
        const before = calls;
        await manyRuns(process);
        const { napMs, tickingMs } = process.loops['schedules']!.pulse;
        return calls === before && tickingMs === undefined && napMs === 30_000;
      };
      await until('it naps for half a minute', quiet);
      const [idle, from] = [calls, performance.now()];
      clock.advance(MINUTE);
      await manyRuns(process);
      await until('it naps as long again', quiet);
      expect(calls - idle).toBeLessThanOrEqual(1 + Math.floor((performance.now() - from) / 30_000));
    });
  },
  { clock },
);

describeHouses(
  'schedules of five processes that come and go (E10)',
  (house) => {
    it('fire once for each time, and for all of them', async () => {
      const turned = clock;
      toTheHour(1);
      const start = turned.now() - 1;
      const boot = () => house().boot({ workflows: { report: answer } });
      const processes = await Promise.all(Array.from({ length: 5 }, boot));
      for (const n of [1, 2, 3]) {
        const plan = { every: `${n}m` as const, missed: 'all', overlap: 'allow', jitter: n === 3 ? '40s' : 0 } as const;
        await processes[0]!.schedules.create('report', { id: `every-${n}`, ...plan });
      }
      for (let step = 0; step < 60; step++) {
        // Back as well: what has been fired stays fired.
        turned.advance(step % 10 === 9 ? -2 * MINUTE : Math.floor(Math.random() * 2 * MINUTE));
        if (Math.random() < 0.25) {
          const at = Math.floor(Math.random() * 5);
          processes[at]!.kill();
          processes[at] = await boot();
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
      turned.advance(30 * MINUTE);
      const end = turned.now();
      const expected = [1, 2, 3].flatMap((n) => {
        const times = [];
        for (let at = start + n * MINUTE; at <= end - MINUTE; at += n * MINUTE)
          times.push(`every-${n}@${iso(at - (at % (n * MINUTE)))}`);
        return times;
      });
      const ids = await until('all times have fired', async () => {
        const found = (await runsOf(processes[0]!)).map(({ id }) => id);
        return expected.every((id) => found.includes(id)) && found;
      });
      expect(new Set(ids).size).toBe(ids.length);
      // No more than the times there are, the last minute's own included.
      expect(ids.filter((id) => !expected.includes(id)).length).toBeLessThanOrEqual(3);
    });
  },
  { clock },
);

describeSqlHouses(
  'a schedule and the transaction of the app',
  (house) => {
    it('happen both or neither', async () => {
      const process = await house().boot({ workflows: { report: answer } });
      const { orm, handle } = { orm: house().backend!.orm, handle: process.storage.handle };
      toTheHour();
      const both = (id: string, fails: boolean) =>
        inAppTransaction(orm, handle, async ({ handle: transaction }) => {
          await process.schedules.create('report', { id, every: '1h' }, { transaction });
          await process.schedules.update(id, { input: 7 }, { transaction });
          if (fails) throw new Error('rolled back');
        });
      await expect(both('a', true)).rejects.toThrow('rolled back');
      await both('b', false);
      expect((await process.schedules.list()).map(({ id, input }) => [id, input])).toEqual([['b', 7]]);
      const gone = inAppTransaction(orm, handle, async ({ handle: transaction }) => {
        await process.schedules.trigger('b', { transaction });
        await process.schedules.pause('b', { transaction });
        throw new Error('rolled back');
      });
      await expect(gone).rejects.toThrow('rolled back');
      toTheHour();
      expect(await fired(process, 1)).toEqual([`b@${iso(clock.now())}`]);
    });
  },
  { clock },
);
