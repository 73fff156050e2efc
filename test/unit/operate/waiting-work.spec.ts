import { newRun } from '../../contract/conformance/fixtures.js';
import { taskOf } from '../../../lib/conformance/transport.js';
import type { HeldThing } from '../../../lib/acts/holds.js';
import { memoryBackend } from '../../../lib/memory-backend.js';
import { FleetGauges } from '../../../lib/nest/metrics.js';
import { Operator, type OperatorPorts } from '../../../lib/operate/operator.js';
import { ManualClock } from '../../../lib/core/time.js';

const BY = { actor: 'ada', reason: 'a test' };

describe('work that waits, as operators see it', () => {
  const app = () => {
    const clock = new ManualClock();
    const { engine, source } = memoryBackend({ clock });
    const off = { isOn: false };
    // What it is asked for here needs no more.
    const ports = { engine, source, namespace: '', clock, outbox: off, effects: off };
    const operator = new Operator(ports as unknown as OperatorPorts);
    const gauges = new FleetGauges({
      operator,
      storage: { engine, clock, bloat: async () => undefined, outbox: undefined, effects: undefined } as never,
      namespace: '',
      nodeId: () => 'me',
      onError: (error) => {
        throw error;
      },
      elapsed: clock,
    });
    const hold = (thing: HeldThing) =>
      engine.acts.within(undefined, (tx) => engine.holds.put('', { ...thing, ...BY, until: undefined }, tx));
    const lift = (thing: HeldThing) => engine.acts.within(undefined, (tx) => engine.holds.lift('', thing, tx));
    return { clock, engine, operator, gauges, hold, lift };
  };
  const ORDER = { kind: 'workflow', name: 'order' } as const;
  const BILLING = { kind: 'group', name: 'billing' } as const;

  it('needs nobody while it is held: runs that are due', async () => {
    const { clock, engine, operator, gauges, hold, lift } = app();
    const names = async () => (await operator.overview()).due.map(({ workflow }) => workflow);
    const gauged = async () => {
      clock.advance(15_000);
      const ages = (await gauges.read(true)).filter(({ name }) => name === 'durable.runs.due.age');
      return ages.map(({ attributes }) => attributes['workflow']);
    };
    await engine.catalog.create(['order', 'ship'].map((workflow) => newRun(workflow, { workflow })));
    clock.advance(30_000);
    expect((await names()).sort()).toEqual(['order', 'ship']);
    expect((await gauged()).sort()).toEqual(['order', 'ship']);
    await hold(ORDER);
    expect(await names()).toEqual(['ship']);
    expect(await gauged()).toEqual(['ship']);
    await lift(ORDER);
    expect((await names()).sort()).toEqual(['order', 'ship']);
  });

  it('needs nobody while it is held: tasks of a group', async () => {
    const { clock, engine, operator, hold, lift } = app();
    const groups = async () => (await operator.overview()).unserved.map(({ group }) => group);
    await engine.dispatcher.dispatch([taskOf(1, { group: 'billing' }), taskOf(2, { group: 'mail' })]);
    clock.advance(30_000);
    expect((await groups()).sort()).toEqual(['billing', 'mail']);
    await hold(BILLING);
    expect(await groups()).toEqual(['mail']);
    await lift(BILLING);
    expect((await groups()).sort()).toEqual(['billing', 'mail']);
  });
});
