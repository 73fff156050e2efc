import { insert, numbers, type Values } from './insert.js';
import { type Amounts, NAMESPACE } from './rows.js';

const DESTINATIONS = ['mails', 'search'] as const;
const CHANNELS = 5_000;

/** Events of many channels, a few of which stand still, and dead letters. */
export function eventRows({ events, others }: Amounts, now: number): string[] {
  const event: Values = {
    mutation_id: `CONCAT('m-', n)`,
    channel: `CONCAT('channel-', MOD(n, ${CHANNELS}))`,
    name: `'changed'`,
    data: `'{}'`,
    processed: 'CASE WHEN MOD(n, 10) = 0 THEN TRUE ELSE FALSE END',
  };
  const ofDestination = (name: string, at: number): string[] => {
    const channel: Values = {
      destination: `'${name}'`,
      channel: `CONCAT('channel-', n)`,
      state: `CASE MOD(n, 50) WHEN ${at} THEN 'blocked' WHEN ${at + 2} THEN 'parked' WHEN ${at + 4} THEN 'requeued' END`,
      last_error: `'the server is away'`,
      failed_at: `${now - 60_000}`,
    };
    const dead: Values = {
      destination: `'${name}'`,
      sequence_id: 'n + 1',
      mutation_id: `CONCAT('m-', n)`,
      channel: `CONCAT('channel-', MOD(n, ${CHANNELS}))`,
      ...{ name: `'changed'`, data: `'{}'`, attempts: '10', reason: `'failed'`, failed_at: `${now - 60_000}` },
    };
    const shard = { destination: `'${name}'`, shard: 'n', owner: `'node-1'`, lease_until: `${now + 60_000}` };
    return [
      insert(
        'outbox_destinations',
        { name: `'${name}'`, created_at: `${now}`, seen_at: `${now}`, wants: `'{}'` },
        numbers(1),
      ),
      insert('outbox_shards', shard, numbers(64)),
      insert('outbox_channels', channel, numbers(Math.min(events, CHANNELS))),
      insert('outbox_dead', dead, numbers(others / 10)),
    ];
  };
  return [insert('outbox', event, numbers(events)), ...DESTINATIONS.flatMap(ofDestination)];
}

/** Calls to other services: most were made, some wait, and some were given up. */
export function effectRows({ others }: Amounts, now: number): string[] {
  const states = [
    [`'succeeded'`, 'NULL', '0', `${now}`, '0, 1, 2, 3, 4, 5'],
    [`'pending'`, '1', '1', 'NULL', '6, 7'],
    [`'scheduled'`, '0', '1', 'NULL', '8'],
    [`'abandoned'`, 'NULL', '1', `${now}`, '9'],
  ] as const;
  return states.map(([status, ready, open, finished, when]) =>
    insert(
      'effects',
      {
        entry_id: `CONCAT('effect-', n)`,
        operation: `CONCAT('operation-', MOD(n, 10))`,
        subject: `CONCAT('subject-', n)`,
        handler: `CONCAT('handler-', MOD(n, 10))`,
        enqueued_at: `${now - 3_600_000} + n`,
        next_attempt_at: ready === '0' ? `${now + 3_600_000} + n` : 'NULL',
        error: `CASE WHEN ${status} = 'abandoned' THEN '{"message":"refused"}' END`,
        ...{ status, ready, open, finished_at: finished, ref: 'NULL' },
        run_id: `CONCAT('run-', 10000000 + n)`,
      },
      `${numbers(others)} AND MOD(n, 10) IN (${when})`,
    ),
  );
}

const SPEC = `'{"timing":{"every":3600000,"from":0},"jitter":0,"startAt":null,"endAt":null,"missed":"once","overlap":"skip","priority":0}'`;
const MINUTE_MS = 60_000;

/** Signals, limits, schedules, processes, what people did, and samples of a week. */
export function fleetRows({ others }: Amounts, now: number): string[] {
  const minute = `${now - (now % MINUTE_MS)} - ${MINUTE_MS} * CAST(n AS decimal(20))`;
  const limit = `CONCAT('limiter-', MOD(n, 200))`;
  return [
    insert(
      'signals',
      {
        ...{ namespace: `'${NAMESPACE}'`, channel: `CONCAT('channel-', MOD(n, 500))`, name: `'approved'` },
        ...{ target: `CONCAT('key-', MOD(n, 500))`, addressed: `CASE WHEN MOD(n, 2) = 0 THEN 'key' ELSE 'run' END` },
        ...{ payload: '1', created_at: `${now - 3_600_000} + n`, position: 'n' },
        taken_by: `CASE WHEN MOD(n, 10) <> 0 THEN 'run-10000007:2' END`,
      },
      numbers(others),
    ),
    insert(
      'limiters',
      { limiter: limit, namespace: `'${NAMESPACE}'`, name: `'charge'`, limiter_key: `CONCAT('', n)` },
      numbers(200),
    ),
    insert(
      'limiter_entries',
      {
        ...{ holder: `CONCAT('holder-', n)`, limiter: limit, run_id: `CONCAT('run-', 10000000 + n)` },
        ...{ granted: 'CASE WHEN n < 1000 THEN 1 ELSE 0 END', turn: 'n', queued_at: `${now - 60_000}` },
        limits: `CONCAT('{"name":"charge","key":"', MOD(n, 200), '","limits":{"concurrency":5}}')`,
      },
      numbers(others),
    ),
    insert(
      'schedules',
      {
        ...{ id: `CONCAT('schedule-', n)`, namespace: `'${NAMESPACE}'`, workflow: `'order'`, spec: SPEC },
        ...{ next_at: `CASE WHEN MOD(n, 100) = 0 THEN ${now - 3_600_000} ELSE ${now + 3_600_000} END` },
        created_at: `${now}`,
      },
      numbers(Math.min(others, 5_000)),
    ),
    insert(
      'nodes',
      {
        ...{
          id: `CONCAT('node-', n)`,
          namespace: `'${NAMESPACE}'`,
          host: `'host'`,
          pid: 'n',
          roles: `'engine,worker'`,
        },
        serves: `CONCAT('{"workflows":{"order":[1,2]},"groups":{"group-', MOD(n, 20), '":["step-', MOD(n, 20), '"]},"concurrency":10}')`,
        ...{ started_at: `${now - 3_600_000}`, seen_at: `${now}` },
        expires_at: `CASE WHEN n < 30 THEN ${now + 3_600_000} ELSE ${now - 1_000} - n END`,
      },
      numbers(100),
    ),
    insert(
      'acts',
      {
        ...{ at: `${now - 3_600_000} + n`, actor: `CONCAT('actor-', MOD(n, 50))`, reason: `'the bank is back'` },
        ...{ action: `CASE WHEN MOD(n, 3) = 0 THEN 'retry' ELSE 'look' END`, kind: `'run'` },
        ...{ target: `CONCAT('run-', 10000000 + n)`, namespace: `'${NAMESPACE}'`, details: `'{}'`, outcome: `'done'` },
      },
      numbers(others),
    ),
    insert(
      'samples',
      {
        ...{ minute, node: `'node-1'`, namespace: `'${NAMESPACE}'` },
        body: `'{"counts":{"run.completed order":10},"load":null}'`,
      },
      numbers(Math.min(others, 10_080)),
    ),
  ];
}
