import { Publisher } from '../../../lib/sql/notifier.js';

describe('a publisher', () => {
  it('sends what comes together as one, and equal payloads once', async () => {
    const sent: [string, readonly string[]][] = [];
    const publisher = new Publisher(async (topic, payloads) => void sent.push([topic, payloads]), fail);
    for (const payload of ['a', 'b', 'a']) publisher.add('tasks', payload);
    publisher.add('runs', 'c');
    await publisher.idle();
    expect(sent).toEqual([
      ['tasks', ['a', 'b']],
      ['runs', ['c']],
    ]);
  });

  it('sends what comes while it sends with the next', async () => {
    const sent: (readonly string[])[] = [];
    const publisher: Publisher = new Publisher(async (_topic, payloads) => {
      sent.push(payloads);
      if (sent.length === 1) for (const late of ['b', 'c']) publisher.add('tasks', late);
    }, fail);
    publisher.add('tasks', 'a');
    await publisher.idle();
    expect(sent).toEqual([['a'], ['b', 'c']]);
  });

  it('goes on after an error', async () => {
    const errors: unknown[] = [];
    const sent: string[] = [];
    const send = async (topic: string) => {
      if (topic === 'bad') throw new Error('mine');
      sent.push(topic);
    };
    const publisher = new Publisher(send, (error) => errors.push(error));
    publisher.add('bad', 'a');
    publisher.add('good', 'b');
    await publisher.idle();
    expect([sent, errors.length]).toEqual([['good'], 1]);
  });
});

function fail(error: unknown): void {
  throw error;
}
