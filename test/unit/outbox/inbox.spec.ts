import { asError } from '../../../lib/core/thrown.js';
import { ConsumerDestination } from '../../../lib/outbox/destinations.js';
import { InMemoryInbox } from '../../../lib/outbox/storage.memory.js';
import { inboxConformance } from '../../contract/conformance/outbox-channels.js';
import { anEvent, delivery } from '../../support/outbox-events.js';
import { throwUnreadable, UNREADABLE } from '../../support/unreadable.js';

describe('an inbox in memory', () => {
  it.each(inboxConformance)('$name', ({ run }) => run({ inbox: new InMemoryInbox() }));
});

describe('a consumer', () => {
  const failing = new Set<string>();
  const consumer = (inbox: InMemoryInbox, seen: string[]) =>
    new ConsumerDestination(inbox, 'counts', [
      { patterns: ['posts:*', 'mails'], run: ({ sequenceId }) => seen.push(`a${sequenceId}`) },
      {
        patterns: ['posts:1'],
        run: async ({ sequenceId }) => {
          if (failing.delete(sequenceId)) throw new Error(`not ${sequenceId}`);
          seen.push(`b${sequenceId}`);
        },
      },
    ]);

  it('gives each event to all handlers that want its channel, once', async () => {
    const seen: string[] = [];
    const inbox = new InMemoryInbox();
    const events = [anEvent('1'), anEvent('2', { channel: 'posts:2' }), anEvent('3', { channel: 'other' })];
    for (let round = 0; round < 2; round++)
      for (const event of events) await consumer(inbox, seen).deliver([event], delivery());
    expect(seen).toEqual(['a1', 'b1', 'a2']);
  });

  it('keeps no position where it wants nothing', async () => {
    const inbox = new InMemoryInbox();
    await consumer(inbox, []).deliver([anEvent('3', { channel: 'other' })], delivery());
    expect(await inbox.receive({ consumer: 'counts', channel: 'other', sequenceId: '1' }, async () => {})).toBe(true);
  });

  it('takes an event again whose handlers failed, and nothing behind it before', async () => {
    const seen: string[] = [];
    const inbox = new InMemoryInbox();
    failing.add('2');
    const events = ['1', '2', '3'].map((id) => anEvent(id));
    await expect(consumer(inbox, seen).deliver(events, delivery())).rejects.toThrow('not 2');
    await consumer(inbox, seen).deliver(events, delivery());
    expect(seen).toEqual(['a1', 'b1', 'a2', 'a2', 'b2', 'a3', 'b3']);
  });

  it.each(Object.keys(UNREADABLE))(
    'passes on an error that can be read, whatever its handler throws: %s',
    async (kind) => {
      const bad = new ConsumerDestination(new InMemoryInbox(), 'bad', [
        { patterns: ['*'], run: () => throwUnreadable(kind) },
      ]);
      const failure = await bad.deliver([anEvent('1')], delivery()).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Error);
      expect(asError(failure)).toBe(failure);
    },
  );

  it('begins nothing once its time is over, and takes again what was not done by then', async () => {
    const timeout = new AbortController();
    const seen: string[] = [];
    const inbox = new InMemoryInbox();
    const slow = new ConsumerDestination(inbox, 'slow', [
      {
        patterns: ['*'],
        run: ({ sequenceId }) => {
          seen.push(sequenceId);
          timeout.abort(new Error('over'));
        },
      },
    ]);
    const events = [anEvent('1'), anEvent('2')];
    await expect(slow.deliver(events, delivery({ signal: timeout.signal }))).rejects.toThrow('over');
    await slow.deliver(events, delivery());
    expect(seen).toEqual(['1', '1', '2']);
  });
});
