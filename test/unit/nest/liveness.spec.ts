import { livenessOf, type Watched } from '../../../lib/nest/health.js';
import type { LoopPulse } from '../../../lib/core/loops.js';

const NAPPING: LoopPulse = { running: true, agoMs: 100, tickingMs: undefined, napMs: 1_000, failed: false };
const HOUR_MS = 3_600_000;

const watched = (pulses: Record<string, Partial<LoopPulse>>, more: Partial<Watched> = {}): Watched => ({
  loops: Object.fromEntries(Object.entries(pulses).map(([name, pulse]) => [name, { pulse: { ...NAPPING, ...pulse } }])),
  blockedMs: 0,
  leaseMs: 9_000,
  ...more,
});

describe('liveness', () => {
  it.each<[string, Watched]>([
    ['a process without loops', watched({})],
    ['a nap that is a little late', watched({ claims: { agoMs: 8_999 } })],
    ['a long nap', watched({ claims: { napMs: 60_000, agoMs: 299_000 } })],
    ['an event loop that was blocked for less than a third of the lease', watched({}, { blockedMs: 3_000 })],
    ['loops that fail, as without a database', watched({ claims: { failed: true }, beats: { failed: true } })],
    [
      'loops that all wait for the database',
      watched({ claims: { tickingMs: HOUR_MS }, beats: { tickingMs: HOUR_MS } }),
    ],
    [
      'a loop that waits for the database while others fail',
      watched({ claims: { tickingMs: HOUR_MS }, beats: { failed: true } }),
    ],
    ['a tick that takes minutes while others go on', watched({ retention: { tickingMs: 299_000 }, beats: {} })],
  ])('is there with %s', (_, given) => {
    expect(livenessOf(given)).toEqual({ ok: true, problems: [], blockedMs: given.blockedMs });
  });

  it.each<[string, Watched, string]>([
    ['a loop that has stopped', watched({ claims: { running: false }, beats: {} }), 'the loop "claims" has stopped'],
    [
      'a nap that does not end',
      watched({ claims: { agoMs: 9_001 } }),
      'the loop "claims" has not ticked for 9.0 s, and should every 1.0 s',
    ],
    [
      'a tick that does not end while others do',
      watched({ claims: { tickingMs: 301_000 }, beats: {} }),
      'the loop "claims" has been in one tick for 301.0 s, while others go on',
    ],
    [
      'an event loop that was blocked',
      watched({ claims: {} }, { blockedMs: 3_001 }),
      'the event loop was blocked for 3.0 s, longer than a third of the shortest lease',
    ],
  ])('is lost with %s', (_, given, problem) => {
    expect(livenessOf(given)).toMatchObject({ ok: false, problems: [problem] });
  });
});
