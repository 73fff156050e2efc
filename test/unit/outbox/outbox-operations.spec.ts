import { inMemoryOutboxStorage } from '../../../lib/outbox/storage.memory.js';
import { OutboxOperations } from '../../../lib/outbox/outbox.js';
import { OUTBOX_TOPIC } from '../../../lib/outbox/events.js';
import { MemoryOutbox } from '../../../lib/outbox/relay.memory.js';
import { ManualClock } from '../../../lib/core/time.js';

describe('what people do about events', () => {
  it('is told to the relays, which may be asleep, unless nothing was done', async () => {
    const tables = new MemoryOutbox(new ManualClock());
    const { relay, writer, signals } = inMemoryOutboxStorage(tables);
    const operations = new OutboxOperations(relay, () => writer.wake([]));
    let told = 0;
    signals.subscribe(OUTBOX_TOPIC, () => void told++);
    await relay.destinations.register(['broker'], 64);
    const block = (channel: string) => Object.assign(tables.channel('broker', channel), { state: 'blocked' });
    tables.append({ mutationId: 'm', channel: 'a', name: 'n', rejected: false, data: null, headers: null });

    block('a');
    expect(await operations.skip('a')).toBe(true);
    expect(told).toBe(1);
    expect(await operations.requeue('a')).toBe(1);
    expect(told).toBe(2);
    block('a');
    expect(await operations.retry('a')).toBe(true);
    expect(told).toBe(3);
    block('a');
    block('b');
    expect(await operations.retryAll()).toBe(2);
    expect(told).toBe(4);
    expect([await operations.retry('a'), await operations.retryAll(), await operations.skip('a')]).toEqual([
      false,
      0,
      false,
    ]);
    expect(told).toBe(4);
  });

  it('retries all blocked channels in batches, each with an act of its own', async () => {
    const tables = new MemoryOutbox(new ManualClock());
    const { relay } = inMemoryOutboxStorage(tables);
    const operations = new OutboxOperations(relay, () => undefined);
    await relay.destinations.register(['broker'], 64);
    for (let n = 0; n < 1_001; n++) Object.assign(tables.channel('broker', `c${n}`), { state: 'blocked' });
    expect(await operations.retryAll({ actor: 'ada', reason: 'the broker is back' })).toBe(1_001);
    const acts = (await relay.acts.list({ namespace: '', limit: 10 })).acts;
    expect(acts.map(({ action, details }) => [action, details['count']])).toEqual([
      ['retry all', 1],
      ['retry all', 500],
      ['retry all', 500],
    ]);
  });

  it('refuses names of options that it does not know, those of its own acts included', async () => {
    const { relay } = inMemoryOutboxStorage(new MemoryOutbox(new ManualClock()));
    const operations = new OutboxOperations(relay, () => undefined);
    await relay.destinations.register(['broker'], 64);
    const wrong = { actor: 'ada', details: { anything: 1 } } as never;
    for (const call of [operations.skip('a', wrong), operations.requeue('a', wrong), operations.retryAll(wrong)])
      await expect(call).rejects.toMatchObject({ code: 'UNKNOWN_OPTION', option: 'details' });
    expect((await relay.acts.list({ namespace: '', limit: 10 })).acts).toEqual([]);
  });

  it('refuses what the database would not understand, and what is too much', async () => {
    const { relay } = inMemoryOutboxStorage(new MemoryOutbox(new ManualClock()));
    const operations = new OutboxOperations(relay, () => undefined);
    await relay.destinations.register(['broker'], 64);
    const wrong: [string, () => Promise<unknown>][] = [
      ['limit', () => operations.lag({ limit: 1_001 })],
      ['limit', () => operations.standing({ limit: 0 })],
      ['limit', () => operations.deadLetters({ limit: 1e9 })],
      ['atMost', () => operations.lag({ atMost: 10_001 })],
      ['after', () => operations.deadLetters({ after: 'the last one' })],
      ['after', () => operations.deadLetters({ after: '9999999999999999999' })],
      ['channel', () => operations.deadLetters({ channel: 'a\0' })],
      ['channel', () => operations.retry('\ud800')],
      ['sequenceIds', () => operations.requeue('a', { sequenceIds: ['1', 'two'] })],
      ['sequenceIds', () => operations.requeue('a', { sequenceIds: '1' as never })],
      ['sequenceIds', () => operations.requeue('a', { sequenceIds: Array<string>(1_001).fill('1') })],
      ['batchSize', () => operations.purgeDeadLetters({ olderThan: '1d', batchSize: 10_001 })],
    ];
    for (const [argument, call] of wrong)
      await expect(call()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', argument });
  });
});
