import { InvalidArgumentError } from '../../../lib/core/errors.js';
import { InMemoryOutboxWriter } from '../../../lib/outbox/storage.memory.js';
import { Outbox } from '../../../lib/outbox/outbox.js';
import type { NewOutboxEvent, OutboxEvent } from '../../../lib/outbox/events.js';

const circular: Record<string, unknown> = {};
circular['self'] = circular;

describe('what may be published', () => {
  let written: Omit<OutboxEvent, 'sequenceId'>[];
  let told: (readonly string[])[];
  let outbox: Outbox;
  beforeEach(() => {
    [written, told] = [[], []];
    const writer = new InMemoryOutboxWriter(
      (event) => written.push(event),
      (channels) => told.push(channels),
    );
    outbox = new Outbox(writer, { payloadBytes: 100 });
  });
  const event = { channel: 'a', name: 'e' };

  it('is an event with all that JSON holds', async () => {
    const full = { ...event, mutationId: 'm', data: { at: new Date(0), list: [1, null] }, headers: { id: 1 } };
    expect(await outbox.publish(full)).toEqual(['m']);
    expect(written).toEqual([
      {
        ...event,
        mutationId: 'm',
        rejected: false,
        data: { at: '1970-01-01T00:00:00.000Z', list: [1, null] },
        headers: { id: 1 },
      },
    ]);
  });

  it('is passed on by a handler that got it', async () => {
    const received = { ...event, sequenceId: '7', mutationId: 'm', rejected: false, data: 1, headers: null };
    expect(await outbox.publish({ ...received, channel: 'copy' } as never)).toEqual(['m']);
    expect(written).toMatchObject([{ channel: 'copy', data: 1, headers: null }]);
  });

  it('gets an id of its own, and nothing where there is nothing', async () => {
    const [first, second] = await outbox.publish([event, { ...event, channel: 'b' }]);
    expect(first).toMatch(/^[\da-f-]{36}$/);
    expect(second).not.toBe(first);
    expect(written.map(({ data, headers, mutationId }) => [data, headers, mutationId])).toEqual([
      [null, null, first],
      [null, null, second],
    ]);
    expect(told).toEqual([['a', 'b']]);
  });

  it('is rejected under the id that was given', async () => {
    expect(await outbox.reject({ ...event, mutationId: 'mine' })).toBe('mine');
    expect(written).toMatchObject([{ mutationId: 'mine', rejected: true }]);
  });

  it.each([
    ['a', 'a'.repeat(255)],
    ['😀', '😀'.repeat(255)],
  ])('has a channel of up to 255 characters: %s', async (_, channel) => {
    await outbox.publish({ ...event, channel });
    expect(written).toHaveLength(1);
  });

  it.each(['a\\u0000b', '\\ud83d\\ude00', 'C:\\udata', '😀', 'ä'])('may have the text %j in it', async (text) => {
    await outbox.publish({ ...event, data: { text, [text]: 1 } });
    expect(written[0]?.data).toEqual({ text, [text]: 1 });
  });

  it('has a name for people: well-formed, and cut where it is too long', async () => {
    const names = ['half of 😀'.slice(0, -1), 'a\0b', 'ü'.repeat(200)];
    await outbox.publish(names.map((name) => ({ ...event, name })));
    expect(written.map(({ name }) => name)).toEqual(['half of \uFFFD', 'a\uFFFDb', 'ü'.repeat(191)]);
  });

  it.each<[string, unknown]>([
    ['event', null],
    ['event', 'text'],
    ['event.channel', { name: 'e' }],
    ['event.channel', { ...event, channel: '' }],
    ['event.channel', { ...event, channel: 7 }],
    ['event.channel', { ...event, channel: 'a'.repeat(256) }],
    ['event.channel', { ...event, channel: 'a\0' }],
    ['event.channel', { ...event, channel: '\ud83d' }],
    ['event.name', { channel: 'a' }],
    ['event.name', { ...event, name: '' }],
    ['event.name', { ...event, name: 7 }],
    ['event.mutationId', { ...event, mutationId: '' }],
    ['event.mutationId', { ...event, mutationId: 'a'.repeat(192) }],
    ['event.headers', { ...event, headers: [] }],
    ['event.headers', { ...event, headers: 'text' }],
    ['event.headers', { ...event, headers: new Map() }],
    ['event.headers', { ...event, headers: { a: '\0' } }],
    ['event.data', { ...event, data: '\0' }],
    ['event.data', { ...event, data: { 'a\\\0': 1 } }],
    ['event.data', { ...event, data: ['\udc00'] }],
    ['event.data', { ...event, data: circular }],
    ['event.data', { ...event, data: 1n }],
    ['event.data', { ...event, data: { raw: Buffer.from('a') } }],
    ['event.data', { ...event, data: [new Headers({ a: '1' })] }],
    ['event.data', { ...event, data: new Map([['a', 1]]) }],
    ['event.data', { ...event, data: () => 1 }],
    ['event.data', { ...event, data: 'ä'.repeat(50) }],
  ])('has no wrong %s: %#', async (argument, wrong) => {
    const attempt = outbox.publish([event, wrong as NewOutboxEvent]);
    await expect(attempt).rejects.toThrow(InvalidArgumentError);
    await expect(attempt).rejects.toMatchObject({ argument });
    expect(written).toEqual([]);
  });
});
