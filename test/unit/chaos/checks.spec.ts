import type { Begin, Published } from '../../full/chaos/app/ledger.js';
import { checkBodies } from '../../full/chaos/check/check-bodies.js';
import { checkEvents } from '../../full/chaos/check/check-events.js';
import { checkOverlaps } from '../../full/chaos/check/check-overlaps.js';
import type { Evidence, Seen } from '../../full/chaos/check/evidence.js';
import type { Trouble } from '../../full/chaos/check/violation.js';

const begin = (label: string, at: number, saw: Record<string, string> = {}, pid = 1): Begin => ({
  what: 'begin',
  run: 'run',
  attempt: 1,
  by: 'alpha',
  exec: `${label}@${at}`,
  label,
  at,
  saw,
  pid,
});

const evidence = (given: Partial<Evidence>): Evidence => ({
  stories: new Map(),
  asked: [],
  begun: [],
  ended: new Map(),
  published: [],
  told: [],
  seen: [],
  ...given,
});

const troubled = (from: number, to: number, ...pids: number[]): Trouble => ({
  fault: 'freeze',
  from,
  to,
  pids: pids.length === 0 ? undefined : new Set(pids),
});

const texts = (violations: readonly { text: string }[]) => violations.map(({ text }) => text);

describe('what the chaos suite says of bodies', () => {
  it('is nothing where each step begins once, or again before anybody was told its outcome', () => {
    const begun = [begin('a', 0), begin('a', 10), begin('b', 20, { a: 'a@10' }), begin('b', 30, { a: 'a@10' })];
    expect(checkBodies(evidence({ begun }), [])).toEqual([]);
  });

  it('is that two bodies were told different outcomes of one step', () => {
    const begun = [begin('b', 20, { a: 'a@0' }), begin('c', 30, { a: 'a@10' })];
    expect(texts(checkBodies(evidence({ begun }), [troubled(0, 100)]))).toEqual([
      'run run: c was told a@10 of a, and another body a@0',
    ]);
  });

  it('is that a recorded step was begun again, unless its process was in trouble', () => {
    const begun = [begin('a', 0), begin('b', 20, { a: 'a@0' }), begin('a', 30)];
    const again = [expect.stringContaining('alpha began a again')];
    expect(texts(checkBodies(evidence({ begun }), []))).toEqual(again);
    expect(texts(checkBodies(evidence({ begun }), [troubled(10, 25, 2)]))).toEqual(again);
    expect(checkBodies(evidence({ begun }), [troubled(10, 25, 1)])).toEqual([]);
  });

  it('is that a step was under way twice although nothing was wrong', () => {
    const [first, second] = [begin('a', 0), begin('a', 10, {}, 2)];
    const ended = new Map([[first.exec, 20]]);
    const found = evidence({ begun: [first, second], ended });
    expect(texts(checkOverlaps(found, []))).toEqual([expect.stringContaining('while alpha was still at it')]);
    expect(checkOverlaps(found, [troubled(5, 6, 1)])).toEqual([]);
    expect(checkOverlaps(evidence({ begun: [first, second], ended: new Map([[first.exec, 9]]) }), [])).toEqual([]);
  });
});

describe('what the chaos suite says of events', () => {
  const published = (number: string, mark: string): Published => ({
    what: 'published',
    at: 0,
    pid: 1,
    by: 'alpha',
    channel: 'c',
    number,
    mark,
  });
  const seen = (number: bigint, mark: string, n: number | null = null): Seen => ({
    position: 0,
    channel: 'c',
    number,
    mark,
    n,
  });

  it('is nothing where they come in order, also when some come twice to the publisher', () => {
    const again = [published('1', 'r/a'), published('2', 'r/b'), published('1', 'r/a'), published('2', 'r/b')];
    expect(checkEvents(evidence({ published: again, seen: [seen(1n, 'r/a', 1), seen(2n, 'r/b', 2)] }))).toEqual([]);
  });

  it('is that one came after a greater number', () => {
    const found = evidence({ published: [published('2', 'r/b'), published('1', 'r/a')] });
    expect(texts(checkEvents(found))).toEqual(['the publisher of c was given number 1 (r/a) after 2 (r/b)']);
  });

  it('is that one came twice to a consumer, or in another order than its transaction committed', () => {
    expect(texts(checkEvents(evidence({ seen: [seen(1n, 'r/a'), seen(2n, 'r/a')] })))).toEqual([
      'event r/a reached the consumer 2 times',
    ]);
    expect(texts(checkEvents(evidence({ seen: [seen(1n, 'r/a', 2), seen(2n, 'r/b', 1)] })))).toEqual([
      'r/b came after r/a, which was committed later',
    ]);
  });

  it('is that one number stands for two events', () => {
    const found = evidence({ published: [published('1', 'r/a'), published('1', 'r/b')] });
    expect(texts(checkEvents(found))).toContain('number c 1 stands for r/a and r/b');
  });
});
