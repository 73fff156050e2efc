import { NonRetryablePublishError } from '../../../lib/core/errors.js';
import { RetryAfterError } from '../../../lib/core/run-errors.js';
import { ManualClock, Timers } from '../../../lib/core/time.js';
import type { RedactableError } from '../../../lib/core/wire-error.js';
import { errorNote, isDeadly, LateArrivals, type PoisonPolicy, verdictOn } from '../../../lib/outbox/destinations.js';
import { WakeWindow } from '../../../lib/core/loops.js';
import { rendezvous, shardsOf } from '../../../lib/outbox/shards.js';
import { isOurNode, isServing, nodeServing, relayNodeId } from '../../../lib/outbox/storage.js';

const POLICY: PoisonPolicy = { onPoison: 'park', attempts: 3, backoff: { delay: 100, factor: 2 }, crashes: 3 };

describe('the verdict on a failed event', () => {
  it('is to try again with backoff, until the attempts are over', () => {
    const error = new Error('no');
    expect(verdictOn(error, 0, POLICY)).toEqual({ kind: 'again', counts: 1, delayMs: 100 });
    expect(verdictOn(error, 1, POLICY)).toEqual({ kind: 'again', counts: 1, delayMs: 200 });
    expect(verdictOn(error, 2, POLICY)).toEqual({ kind: 'park' });
  });

  it('is to come again when it said so, however often that is', () => {
    expect(verdictOn(new RetryAfterError('2s'), 99, POLICY)).toEqual({ kind: 'again', counts: 0, delayMs: 2_000 });
    const nonsense = new RetryAfterError('soon' as never);
    expect(verdictOn(nonsense, 0, POLICY)).toEqual({ kind: 'again', counts: 0, delayMs: 100 });
  });

  it('is final at once when nothing would help', () => {
    expect(verdictOn(new NonRetryablePublishError('no'), 0, POLICY)).toEqual({ kind: 'park' });
    const twin = Object.assign(new Error('of another copy'), { name: 'NonRetryablePublishError' });
    expect(verdictOn(twin, 0, { ...POLICY, onPoison: 'block' })).toEqual({ kind: 'block' });
  });

  it('comes before a delivery that has killed often enough', () => {
    expect([2, 3, 4].map((crashes) => isDeadly(crashes, POLICY))).toEqual([false, true, true]);
  });
});

describe('what is kept of an error', () => {
  it('is its class and a part of its message', () => {
    expect(errorNote(new TypeError('wrong'))).toBe('TypeError: wrong');
    expect(errorNote(new Error('x'.repeat(9_000)))).toHaveLength(500);
    expect(errorNote('text')).toBe('Error: text');
    const ofDriver = Object.assign(new Error("insert … values ('secret')"), { sql: '…', code: '23505' });
    expect(errorNote(ofDriver)).toBe('Error: 23505');
    expect(errorNote(Object.create(null))).toBe('Error: Thrown: {}');
  });

  it('is what the app wants to be seen, also of a database error', () => {
    const redact = ({ name, message }: RedactableError) => ({ name, message: message.replaceAll(/\d+/g, '*') });
    expect(errorNote(new Error('card 4111'), { redact })).toBe('Error: card *');
    expect(errorNote(Object.assign(new Error('x'), { sql: '…', code: '23505' }), { redact })).toBe('Error: *');
  });

  it('is something that every database stores', () => {
    expect(errorNote(new Error('a\0b\uD800c'))).toBe('Error: a\uFFFDb\uFFFDc');
  });
});

describe('the nodes that shards should be with', () => {
  const nodes = ['a', 'b', 'c', 'd'];
  const placed = (among: string[]) => Array.from({ length: 64 }, (_, shard) => rendezvous(among, 'broker', shard));

  it('are the same for whoever asks, in whatever order', () => {
    expect(placed(nodes)).toEqual(placed([...nodes].reverse()));
    expect(rendezvous([], 'broker', 1)).toBeUndefined();
  });

  it('have about as many each, and change only where a node came or went', () => {
    const before = placed(nodes);
    for (const node of nodes) expect(before.filter((at) => at === node).length).toBeGreaterThan(6);
    const after = placed(['a', 'b', 'c']);
    before.forEach((at, shard) => at === 'd' || expect(after[shard]).toBe(at));
    expect(shardsOf('a', nodes, 'broker', 64)).toHaveLength(before.filter((at) => at === 'a').length);
  });

  it('differ between destinations', () => {
    expect(shardsOf('a', nodes, 'broker', 64)).not.toEqual(shardsOf('a', nodes, 'other', 64));
  });

  it('know each other by their names', () => {
    const id = relayNodeId('pod-1');
    expect(relayNodeId('pod-1')).not.toBe(id);
    expect([id, '0d5b1c4e', 'durablex'].map((each) => isOurNode(each))).toEqual([true, false, false]);
    // Those of another prefix have other shards, and know nothing of ours.
    expect([relayNodeId('pod-1', 'shop'), id].map((each) => isOurNode(each, 'shop'))).toEqual([true, false]);
    expect(relayNodeId('x'.repeat(500)).length).toBeLessThanOrEqual(191);
  });

  it('say which destinations they have, where that fits', () => {
    const id = relayNodeId('x'.repeat(500));
    const some = nodeServing(id, ['broker', 'counts']);
    expect(['broker', 'counts', 'other'].map((name) => isServing(some, name))).toEqual([true, true, false]);
    expect(isServing(id, 'other')).toBe(true);
    const many = Array.from({ length: 100 }, (_, n) => `destination-${n}`);
    expect(nodeServing(id, many)).toBe(id);
    expect([some, nodeServing(id, many.slice(0, 20))].every((each) => each.length <= 191 && isOurNode(each))).toBe(
      true,
    );
  });
});

describe('a window of hints', () => {
  it('lets the first through at once, and makes one of all others', () => {
    const clock = new ManualClock();
    const timers = new Timers(clock);
    let fired = 0;
    const window = new WakeWindow(timers, clock, 50, () => fired++);
    const turn = (ms: number) => {
      clock.advance(ms);
      timers.fire();
    };
    for (let n = 0; n < 100; n++) window.poke();
    expect(fired).toBe(1);
    turn(49);
    expect(fired).toBe(1);
    turn(1);
    expect(fired).toBe(2);
    turn(50);
    expect(fired).toBe(2);
    window.poke();
    expect(fired).toBe(3);
    window.reset();
    window.poke();
    expect(fired).toBe(4);
    timers.stop();
  });
});

describe('late arrivals', () => {
  it('are numbers below one that was delivered of the same channel', () => {
    const late = new LateArrivals();
    late.delivered('a', '10');
    expect([late.isLate('a', '11'), late.isLate('a', '9'), late.isLate('b', '9')]).toEqual([false, true, false]);
    late.delivered('a', '9');
    expect(late.isLate('a', '10')).toBe(false);
    expect(late.isLate('a', '9')).toBe(true);
  });

  it('are forgotten for channels that have long been quiet', () => {
    const late = new LateArrivals();
    late.delivered('first', '10');
    for (let n = 0; n < 10_000; n++) late.delivered(`channel-${n}`, '10');
    expect(late.isLate('first', '1')).toBe(false);
    expect(late.isLate('channel-9999', '1')).toBe(true);
  });
});
