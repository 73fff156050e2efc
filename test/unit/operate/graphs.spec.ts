import { graphsBegin, graphsOf, type Sample } from '../../../lib/operate/samples.js';
import { pointsOf } from '../../../page/src/graph-points.js';

const NOW = Date.parse('2026-01-02T03:04:30Z');
const minute = (n: number) => new Date(graphsBegin(NOW) + n * 60_000);
const sample = (n: number, more: Partial<Sample>): Sample => ({
  at: minute(n),
  node: 'a',
  counts: {},
  load: null,
  ...more,
});
const fleet = (queues: Record<string, number>): NonNullable<Sample['fleet']> => ({
  blocked: 0,
  dueAgeMs: 0,
  queues: Object.fromEntries(Object.entries(queues).map(([name, ageMs]) => [name, { waiting: 1, ageMs }])),
  outbox: { broker: { blocked: 2, dead: 0 } },
  outboxLagMs: { broker: 700 },
  abandonedEffects: 0,
  lateSchedules: 0,
});

describe('the graphs of an hour', () => {
  const samples = [
    sample(0, { counts: { 'run.completed order': 2, 'run.completed bill': 3, 'run.blocked order': 1 } }),
    sample(0, { node: 'b', counts: { 'run.failed order': 1, 'outbox.delivered broker': 7 } }),
    sample(59, { counts: { 'run.completed order': 1 }, fleet: fleet({ slow: 9_000, quick: 5 }) }),
    sample(60, { counts: { 'run.completed order': 100 } }),
    sample(-1, { counts: { 'run.completed order': 100 } }),
  ];
  const graphs = graphsOf({ samples, complete: true }, NOW);

  it('add up all processes by status, and leave out minutes without a sample', () => {
    expect(graphs.from).toEqual(new Date('2026-01-02T02:05:00Z'));
    expect(graphs.ended.map(({ name, values }) => [name, values[0], values[1], values[59]])).toEqual([
      ['completed', 5, null, 1],
      ['failed', 1, null, 0],
    ]);
    expect(graphs.delivered.map(({ name, values }) => [name, values[0]])).toEqual([['broker', 7]]);
  });

  it('show the ages of groups and standing channels as one process saw them, the highest first', () => {
    expect(graphs.queueAges.map(({ name, values }) => [name, values[0], values[59]])).toEqual([
      ['slow', null, 9_000],
      ['quick', null, 5],
    ]);
    expect(graphs.relayLags.map(({ name, values }) => [name, values[59]])).toEqual([['broker', 700]]);
    expect(graphs.standing.map(({ name, values }) => [name, values[59]])).toEqual([['broker', 2]]);
  });

  it('have at most six groups', () => {
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`g${n}`, n]));
    const { queueAges } = graphsOf({ samples: [sample(3, { fleet: fleet(many) })], complete: false }, NOW);
    expect(queueAges.map(({ name }) => name)).toEqual(['g19', 'g18', 'g17', 'g16', 'g15', 'g14']);
  });
});

describe('a line', () => {
  it('goes on after minutes without a value', () => {
    expect(pointsOf([0, null, 5, 10], 10)).toBe('0,76 200,40 300,4');
  });
});
