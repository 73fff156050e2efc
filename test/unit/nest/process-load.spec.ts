import { ProcessLoad } from '../../../lib/nest/presence.js';
import { Telemetry } from '../../../lib/core/telemetry.js';

describe('the load of a process', () => {
  it('tells the errors of its loops since it started, and whether notifications wake it', () => {
    const telemetry = new Telemetry();
    const notifier = { live: false };
    const storage = { notifier, poolCounts: () => ({ used: 1, most: 4, pending: 2 }) };
    const load = new ProcessLoad(storage as never, () => ({ steps: 3, residents: 5 }), telemetry);
    expect(load.last).toBeNull();
    for (const loop of ['claims', 'samples']) telemetry.emit('loop.error', { loop, error: new Error('away') });
    const pool = { used: 1, most: 4, waiting: 2 };
    const told = { steps: 3, residents: 5, eventLoopP99Ms: 0, pool, errors: 2, notifications: 'polling' };
    expect(load.measure()).toEqual(told);
    notifier.live = true;
    expect(load.measure()).toEqual({ ...told, notifications: 'listening' });
    expect(load.last).toEqual({ ...told, notifications: 'listening' });
  });

  it('has the connections of the process in its heartbeats, and not in the samples of each minute', () => {
    const own = { of: 'app', all: [{ session: 7, port: 4_007 }] };
    const storage = { notifier: { live: false }, sessions: () => own };
    const load = new ProcessLoad(storage as never, () => ({ steps: 0, residents: 0 }), new Telemetry());
    expect(load.measure()).toMatchObject({ steps: 0, sessions: [[7, 4_007]], sessionsOf: 'app' });
    for (const name of ['sessions', 'sessionsOf']) expect(load.last).not.toHaveProperty(name);
  });
});
