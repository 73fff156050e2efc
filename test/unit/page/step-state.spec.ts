import { awaitsAttempt, isResolvable, isWithWorker } from '../../../page/src/step-state.js';

const NOW = Date.parse('2030-01-01T00:00:00.000Z');
const at = (ms: number) => new Date(NOW + ms).toISOString();
type Run = Parameters<typeof isResolvable>[0];
type Step = Parameters<typeof isResolvable>[1];

const run = (more: Partial<Run> = {}): Run => ({ status: 'suspended', finishedAt: null, ...more });
const step = (more: Partial<Step> = {}): Step => ({ seq: 0, kind: 'step', status: 'pending', wakeAt: null, ...more });

describe('a step', () => {
  const later = { wakeAt: at(1) };

  it.each(['step', 'transaction', 'remote'] as const)(
    'of the kind %s may run now while its next attempt is due later',
    (kind) => {
      expect(awaitsAttempt(run(), step({ kind, ...later }), NOW)).toBe(true);
      expect(awaitsAttempt(run({ status: 'compensating' }), step({ kind, seq: -1, ...later }), NOW)).toBe(true);
      expect(awaitsAttempt(run(), step({ kind, wakeAt: at(0) }), NOW)).toBe(false);
      expect(awaitsAttempt(run(), step({ kind }), NOW)).toBe(false);
      expect(awaitsAttempt(run(), step({ kind, status: 'failed', ...later }), NOW)).toBe(false);
      expect(awaitsAttempt(run({ status: 'failed', finishedAt: at(-1) }), step({ kind, ...later }), NOW)).toBe(false);
    },
  );

  it.each(['sleep', 'signal', 'child', 'marker'] as const)('of the kind %s has no attempts', (kind) => {
    expect(awaitsAttempt(run(), step({ kind, ...later }), NOW)).toBe(false);
  });

  it('that a worker has is not resolved', () => {
    expect(isWithWorker(step({ kind: 'remote' }))).toBe(true);
    expect(isResolvable(run(), step({ kind: 'remote' }))).toBe(false);
    expect(isResolvable(run(), step({ kind: 'remote', status: 'exhausted' }))).toBe(true);
  });

  it('is resolved while its code can get another outcome of it', () => {
    expect(isResolvable(run(), step())).toBe(true);
    expect(isResolvable(run({ status: 'failed', finishedAt: at(-1) }), step({ status: 'failed' }))).toBe(true);
    expect(isResolvable(run(), step({ status: 'failed' }))).toBe(false);
    expect(isResolvable(run(), step({ status: 'completed' }))).toBe(false);
    expect(isResolvable(run(), step({ seq: -1 }))).toBe(false);
    expect(isResolvable(run(), step({ kind: 'marker' }))).toBe(false);
    for (const status of ['pending', 'compensating'] as const)
      expect(isResolvable(run({ status }), step())).toBe(false);
  });
});
