import { barsOf } from '../../../page/src/bars.js';

const at = (ms: number) => new Date(ms).toISOString();
type Step = Parameters<typeof barsOf>[0];

const step = (more: Partial<Step>): Step => ({
  seq: 0,
  kind: 'remote',
  name: 'charge',
  status: 'pending',
  failures: 0,
  wakeAt: null,
  createdAt: at(100),
  askedAt: at(100),
  startedAt: null,
  finishedAt: null,
  worker: null,
  attempts: [],
  logLines: 0,
  error: null,
  ...more,
});

const attempt = (asked: number, started: number, finished: number, outcome: 'completed' | 'failed') => ({
  attempt: 1,
  outcome,
  askedAt: at(asked),
  startedAt: at(started),
  finishedAt: at(finished),
  backedOffMs: null,
  waitedMs: null,
  ranMs: null,
  worker: null,
  error: null,
});

const told = (of: Step, end = 1_000) => barsOf(of, end).map(({ from, to, how }) => `${how} ${from}-${to}`);

describe('the bars of a step', () => {
  it('tell waiting, running, failing and backing off apart', () => {
    const attempts = [attempt(100, 150, 200, 'failed'), attempt(300, 320, 400, 'completed')];
    expect(told(step({ status: 'completed', finishedAt: at(400), attempts }))).toEqual([
      'waited 100-150',
      'failed 150-200',
      'backed off 200-300',
      'waited 300-320',
      'ran 320-400',
    ]);
  });

  it('reach to now while the step is not over', () => {
    expect(told(step({}))).toEqual(['waited 100-1000']);
    expect(told(step({ startedAt: at(200) }))).toEqual(['waited 100-200', 'ran 200-1000']);
  });

  it('say that a step waits for a limit, while it does', () => {
    const attempts = [attempt(100, 150, 200, 'failed')];
    const queued = (of: Step) => barsOf(of, 1_000, true).map(({ from, to, how }) => `${how} ${from}-${to}`);
    expect(queued(step({}))).toEqual(['queued for a limit 100-1000']);
    expect(queued(step({ askedAt: at(300), attempts }))).toEqual([
      'waited 100-150',
      'failed 150-200',
      'backed off 200-300',
      'queued for a limit 300-1000',
    ]);
  });

  it('of a timer are one', () => {
    expect(told(step({ kind: 'sleep' }))).toEqual(['slept 100-1000']);
    expect(told(step({ kind: 'signal', finishedAt: at(300) }))).toEqual(['slept 100-300']);
  });

  it('are there for what took no time', () => {
    const attempts = [attempt(100, 100, 100, 'failed'), attempt(100, 100, 100, 'completed')];
    expect(told(step({ status: 'completed', finishedAt: at(100), attempts }))).toEqual([
      'failed 100-100',
      'ran 100-100',
    ]);
  });

  it('of a child say that it is waited for', () => {
    expect(told(step({ kind: 'child', startedAt: at(200) }))).toEqual(['waited 100-1000']);
  });

  it('of a step without attempts say how it ended', () => {
    expect(told(step({ kind: 'step', status: 'failed', finishedAt: at(300) }))).toEqual(['failed 100-300']);
  });
});
