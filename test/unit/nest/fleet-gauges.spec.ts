import { FleetGauges, type FleetGaugesParts } from '../../../lib/nest/metrics.js';
import { memoryBackend } from '../../../lib/memory-backend.js';
import { Operator, type OperatorPorts } from '../../../lib/operate/operator.js';
import { ManualClock } from '../../../lib/core/time.js';

/** Gauges of an app without outbox and effects, on ports of its engine. */
function gaugesOn(
  change: (engine: OperatorPorts['engine']) => OperatorPorts['engine'],
  more = {},
  groups?: OperatorPorts['source']['groups'],
) {
  const clock = new ManualClock();
  const { engine: ports, source: tasks } = memoryBackend({ clock });
  const source = groups ? Object.assign(Object.create(tasks) as typeof tasks, { groups }) : tasks;
  const engine = change(ports);
  const off = { isOn: false } as never;
  const nothing = { client: undefined, scheduling: undefined, acts: undefined } as never;
  const operator = new Operator({
    ...(nothing as object),
    engine,
    source,
    namespace: '',
    clock,
    outbox: off,
    effects: off,
  } as never);
  const errors: unknown[] = [];
  const parts: FleetGaugesParts = {
    operator,
    storage: { engine, clock, bloat: async () => undefined, outbox: undefined, effects: undefined } as never,
    namespace: '',
    nodeId: () => 'me',
    onError: (error) => errors.push(error),
    elapsed: clock,
    ...more,
  };
  return { clock, ports, gauges: new FleetGauges(parts), errors };
}

const namesOf = (readings: readonly { name: string }[]) => new Set(readings.map(({ name }) => name));

describe('the gauges of all processes', () => {
  it('leave out a part that takes too long, and tell the others in time', async () => {
    const never = () => new Promise<never>(() => undefined);
    const stuck = gaugesOn((engine) => ({ ...engine, unfinished: { ...engine.unfinished, overdue: never } }), {
      mostMs: 200,
    });
    const names = namesOf(await stuck.gauges.read(true));
    expect(names).toContain('durable.nodes');
    expect(names).toContain('durable.schedules.late');
    expect(names).not.toContain('durable.runs.open');
    expect(stuck.errors).toMatchObject([{ code: 'QUESTION_TIMEOUT', question: 'metrics: runs' }]);
  });

  it('say nothing of processes that could not be read, and count those of their own namespace', async () => {
    const failing = () => Promise.reject(new Error('no database'));
    const { gauges } = gaugesOn((engine) => ({
      ...engine,
      roster: Object.assign(Object.create(engine.roster) as typeof engine.roster, { nodes: failing }),
    }));
    expect(namesOf(await gauges.read(true))).not.toContain('durable.nodes');
    const other = gaugesOn((engine) => engine);
    await other.ports.roster.beat({ id: 'me', namespace: '', roles: 'engine' } as never, 60_000);
    await other.ports.roster.beat({ id: 'they', namespace: 'theirs', roles: 'engine' } as never, 60_000);
    const engines = (await other.gauges.read(true)).filter(
      ({ name, attributes }) => name === 'durable.nodes' && attributes['role'] === 'engine',
    );
    expect(engines).toMatchObject([{ value: 1 }]);
  });

  it('have the queues of all pages', async () => {
    const groups = Array.from({ length: 250 }, (_, n) => `g${String(n).padStart(3, '0')}`);
    const { gauges } = gaugesOn(
      (engine) => engine,
      {},
      async ({ after, limit }) =>
        groups
          .filter((group) => group > after)
          .slice(0, limit)
          .map((group) => ({ group, waiting: 1, since: 0, inHand: 0, lapsed: 0, more: false })),
    );
    const queues = (await gauges.read(true)).filter(({ name }) => name === 'durable.queue.depth');
    expect(queues.map(({ attributes }) => attributes['group'])).toEqual(groups);
  });

  it('are kept apart for who asks of one process, and who asks of any', async () => {
    const { gauges, clock, ports } = gaugesOn((engine) => engine);
    expect(await gauges.read('auto')).toEqual([]);
    expect((await gauges.read(true)).length).toBeGreaterThan(0);
    expect(await gauges.read('auto')).toEqual([]);
    await ports.roster.beat({ id: 'me', namespace: '', roles: 'engine' } as never, 60_000);
    expect(await gauges.read('auto')).toEqual([]);
    clock.advance(15_000);
    expect((await gauges.read('auto')).length).toBeGreaterThan(0);
  });
});
