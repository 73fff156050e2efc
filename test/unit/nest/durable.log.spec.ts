import { DurableLog } from '../../../lib/nest/log.js';
import { Telemetry } from '../../../lib/core/telemetry.js';

const TASK = { stepId: 'run:1', runId: 'run', name: 'charge', group: 'charge', attempt: 2 };

describe('the log', () => {
  let lines: string[];
  let now: number;
  let telemetry: Telemetry;
  beforeEach(() => {
    lines = [];
    now = 0;
    telemetry = new Telemetry();
    const write = (level: string) => (line: string) => void lines.push(`${level} ${line}`);
    const target = { log: write('log'), warn: write('warn'), error: write('error'), debug: write('debug') };
    new DurableLog(target, { now: () => now }).subscribe(telemetry);
  });

  it('says what needs somebody, and the rest only on demand', () => {
    telemetry.emit('run.left', { runId: 'r', workflow: 'w', status: 'completed' });
    telemetry.emit('run.left', {
      runId: 'r',
      workflow: 'w',
      status: 'suspended',
      reason: 'non_determinism',
      detail: 'why',
    });
    telemetry.emit('task.failed', { ...TASK, durationMs: 1, error: { message: 'declined', code: 'DECLINED' } });
    telemetry.emit('task.deferred', { ...TASK, durationMs: 1, error: { message: 'busy' }, retryInMs: 60_000 });
    expect(lines).toEqual([
      'debug Run "r" of "w" is completed',
      'warn Run "r" of "w" is blocked (non_determinism): why',
      'warn Failed: step "charge" (run:1, attempt 2): Error: declined',
      'debug Deferred for 60000 ms: step "charge" (run:1, attempt 2): Error: busy',
    ]);
  });

  it('says who holds and lifts what, and why', () => {
    const hold = { kind: 'group', name: 'billing', actor: 'ada', reason: 'the bank is down' };
    telemetry.emit('hold.begun', { ...hold, until: '2030-01-01T00:00:00.000Z' });
    telemetry.emit('hold.begun', hold);
    telemetry.emit('hold.lifted', { ...hold, reason: 'it is back' });
    expect(lines).toEqual([
      'warn ada holds group "billing" until 2030-01-01T00:00:00.000Z: the bank is down',
      'warn ada holds group "billing": the bank is down',
      'warn ada has lifted the hold of group "billing": it is back',
    ]);
  });

  it('says which run holds a schedule up, and that one that stood still is gone', () => {
    const schedule = { scheduleId: 'nightly', workflow: 'report' };
    telemetry.emit('schedule.skipped', { ...schedule, times: 2, runId: 'nightly@1' });
    telemetry.emit('schedule.removed', { ...schedule, stood: 'paused' });
    telemetry.emit('schedule.removed', { ...schedule, stood: 'held', continuesAs: 'morning' });
    telemetry.emit('schedule.removed', schedule);
    const gone = 'was removed: the code does not declare it any more';
    expect(lines).toEqual([
      'warn Schedule "nightly" skipped 2 scheduled times: its run "nightly@1" has not ended',
      `warn Schedule "nightly" of "report", which was paused, ${gone}`,
      'log Schedule "nightly" of "report", which was held, goes on as "morning"',
      `log Schedule "nightly" of "report" ${gone}`,
    ]);
  });

  it('says the same of a loop once in ten seconds', () => {
    const fail = (message: string) => telemetry.emit('loop.error', { loop: 'engine', error: new Error(message) });
    fail('away');
    fail('away');
    fail('other');
    now += 10_000;
    fail('away');
    expect(lines.map((line) => line.split(': ').at(-1))).toEqual(['away', 'other', 'away']);
  });

  it('says once in ten seconds that a transaction was left open, and what was sent last', () => {
    telemetry.emit('connection.left-open', { statement: 'UPDATE users SET name = …' });
    telemetry.emit('connection.left-open', {});
    now += 10_000;
    telemetry.emit('connection.left-open', {});
    expect(lines.map((line) => line.split('; ').at(-1))).toEqual([
      'the last statement was UPDATE users SET name = …',
      'look for BEGIN or START TRANSACTION',
    ]);
  });

  it('says once in ten seconds that the pool is too small, and what would do', () => {
    const event = { why: 'held', waitedMs: 5_000, waiting: 2, most: 1, enough: 6, setting: 'pool.max' } as const;
    telemetry.emit('connection.waiting', event);
    telemetry.emit('connection.waiting', { ...event, waitedMs: 9_000 });
    now += 10_000;
    telemetry.emit('connection.waiting', { waitedMs: 15_000, waiting: 1, setting: 'max' });
    now += 10_000;
    telemetry.emit('connection.waiting', { why: 'held', waitedMs: 5_000, waiting: 600, most: 10, setting: 'max' });
    expect(lines.map((line) => line.split('the pool is too small').at(-1))).toEqual([
      ': it has 1, 6 would do (pool.max); 2 wait, the first for 5 s',
      '; 1 wait, the first for 15 s',
      ': it has 10, and no sensible size would do; 600 wait, the first for 5 s',
    ]);
  });

  it('does not blame the pool for a database that is slow or away', () => {
    const event = { waitedMs: 5_000, waiting: 2, most: 10, setting: 'max' };
    telemetry.emit('connection.waiting', { ...event, why: 'busy' });
    telemetry.emit('connection.waiting', { ...event, why: 'opening' });
    expect(lines.map((line) => line.split(/connection of the pool, /).at(-1))).toEqual([
      'and all of its connections run statements: the database is slow, or does not respond; it may have 10 (max); 2 wait, the first for 5 s',
      'which may open more: the database does not accept connections, or not in time; it may have 10 (max); 2 wait, the first for 5 s',
    ]);
  });

  it('tells of calls that need somebody, and of a service that is away once in ten seconds', () => {
    const call = { entryId: 'e-1', handler: 'crm', operation: 'erase', attempt: 2 };
    for (const entryId of ['e-1', 'e-2'])
      telemetry.emit('effects.failed', { ...call, entryId, error: 'TypeError', retryInMs: 500 });
    telemetry.emit('effects.abandoned', { ...call, error: 'RangeError' });
    telemetry.emit('effects.settle-failed', { ...call, error: 'DatabaseError (DATABASE)' });
    telemetry.emit('effects.unclaimed', { handler: 'mail', since: 0, ageMs: 300_000, why: 'nobody' });
    telemetry.emit('effects.succeeded', { ...call, alreadyAbsent: false });
    const shown = 'effect "crm" of "erase" (e-1, attempt 2)';
    expect(lines).toEqual([
      `warn Calls of "crm" fail: TypeError, for example ${shown}, next try in 500 ms`,
      `error Abandoned, and not called again until it is requeued: ${shown}: RangeError`,
      `error The result could not be written; the call is made again after its lease: ${shown}: DatabaseError (DATABASE)`,
      'warn Calls of "mail" have waited since 1970-01-01T00:00:00.000Z: nobody. Start a process with @Effect(\'mail\'), or more of them',
      `debug Done: ${shown}`,
    ]);
  });

  it('holds no stacks, whatever was thrown', () => {
    for (const error of [new TypeError('x'.repeat(5_000)), undefined, 'text', null, 5]) {
      telemetry.emit('run.broken', { runId: 'r', workflow: 'w', error });
    }
    expect(lines).toHaveLength(5);
    expect(lines.join('\n')).not.toMatch(/\n\s+at /);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(500);
  });

  it("passes on what a step's own log says", () => {
    const fields = { count: 2n };
    telemetry.emit('step.log', { level: 'info', message: 'half', stepId: 'run:1', name: 'charge' });
    telemetry.emit('step.log', { level: 'warn', message: 'odd', fields, stepId: 'run:1', name: 'charge' });
    expect(lines[0]).toBe('log [charge run:1] half');
    expect(lines[1]).toMatch(/^warn \[charge run:1\] odd /);
  });
});
