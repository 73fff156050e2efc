import { inMemoryOutboxStorage } from '../../../../lib/outbox/compose/outbox-storage.js';
import { OutboxOperations } from '../../../../lib/outbox/client/outbox-operations.js';
import { OUTBOX_TOPIC } from '../../../../lib/outbox/model/outbox-event.js';
import { MemoryOutbox } from '../../../../lib/outbox/relay/memory-outbox.js';
import { ManualClock } from '../../../../lib/time/clock.js';

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
});
