import { randomUUID } from 'node:crypto';
import { compiled } from '../support/compiled.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { type Program, startProgram } from '../support/programs.js';
import { until } from '../support/until.js';

interface Snapshot {
  data: { title: string; count: number; comments: { id: string; author: string; text: string }[] };
  sequenceId: string;
}

describe('The sample comments', () => {
  let database: FreshDatabase;
  let app: Program;
  let url: string;

  beforeAll(async () => {
    database = await createDatabase('postgres');
    app = startProgram(compiled('sample/11-comments/app.js'), [], { DATABASE_URL: database.url, PORT: '0' });
    const isReady = until('the app', () => /comments on \S+:(\d+)\n/.exec(app.output())?.[1]);
    const port = await isReady.catch(() => Promise.reject(new Error(app.output())));
    url = `http://127.0.0.1:${port}`;
  });
  afterAll(async () => {
    app.process.kill('SIGKILL');
    await app.ended;
    await database.close();
  });

  const post = (body: object, path = '/posts/1/comments') =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const snapshot = async () => (await (await fetch(`${url}/posts/1`)).json()) as Snapshot;
  const events = () =>
    database.query<{ sequence_id: string; mutation_id: string; name: string; rejected: boolean; data: unknown }>(
      `SELECT sequence_id::text, mutation_id, name, rejected, data FROM durable_outbox ORDER BY sequence_id`,
    );

  it('stores a comment with its event, once however often it is sent', async () => {
    const [mutationId, another] = [randomUUID(), randomUUID()];
    const first = { mutationId, author: 'Ada', text: ' first ' };
    expect((await post(first)).status).toBe(201);
    expect((await post(first)).status).toBe(201);
    expect((await post({ mutationId: another, author: 'Bob', text: 'second' })).status).toBe(201);

    const { data, sequenceId } = await snapshot();
    expect(data).toEqual({
      title: 'What should we build next?',
      count: 2,
      comments: [
        { id: mutationId, author: 'Ada', text: 'first' },
        { id: another, author: 'Bob', text: 'second' },
      ],
    });
    const written = await events();
    expect(written.map(({ mutation_id: id }) => id)).toEqual([mutationId, another]);
    expect(written[1]!.data).toEqual([
      { op: 'add', path: '/comments/1', value: data.comments[1] },
      { op: 'replace', path: '/count', value: 2 },
    ]);
    expect(sequenceId).toBe(written[1]!.sequence_id);
  });

  it.each([
    ['is empty', ' '],
    ['has a word in it that is forbidden', 'buy SPAM'],
    ['is too long', 'x'.repeat(501)],
  ])('takes a comment back that %s', async (_, text) => {
    const before = await snapshot();
    const mutationId = randomUUID();
    const response = await post({ mutationId, author: 'Ada', text });
    expect(response.status).toBe(422);
    const { message: reason } = (await response.json()) as { message: string };
    const [told] = (await events()).slice(-1);
    expect(told).toMatchObject({ mutation_id: mutationId, name: 'comment.refused', rejected: true, data: { reason } });
    expect(await snapshot()).toEqual({ data: before.data, sequenceId: told!.sequence_id });
  });

  it.each([{}, { mutationId: 'x', author: 'Ada', text: 'hi' }, { mutationId: randomUUID(), text: 1 }])(
    'tells nobody of what is no comment: %j',
    async (body) => {
      const { length } = await events();
      expect((await post(body)).status).toBe(400);
      expect(await events()).toHaveLength(length);
    },
  );

  it('lets nobody see a post, nor follow its channel, who may not', async () => {
    for (const path of ['/posts/2', '/posts/2/events', '/posts/2/events?key=wrong', '/posts/2?key=sesame&key=sesame'])
      expect((await fetch(url + path)).status).toBe(403);
    expect((await fetch(`${url}/posts/none/events`)).status).toBe(404);
    expect((await post({ mutationId: randomUUID(), author: 'Eve', text: 'hi' }, '/posts/2/comments')).status).toBe(403);

    const stream = new AbortController();
    const response = await fetch(`${url}/posts/2/events?key=sesame`, { signal: stream.signal });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    stream.abort();
  });

  it('goes on behind Last-Event-ID, or behind the snapshot where a page has none yet', async () => {
    for (const text of ['one', 'two', 'three'])
      expect((await post({ mutationId: randomUUID(), author: 'Ada', text })).status).toBe(201);
    const [first, second, third] = await events();
    const firstOf = async (path: string, headers: Record<string, string>) => {
      const stream = new AbortController();
      const response = await fetch(`${url}/posts/1/events${path}`, { headers, signal: stream.signal });
      const text = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      let read = '';
      await until('an event', async () => {
        read += (await text.read()).value ?? '';
        return /event: event\nid: .+\ndata: .+\n/.test(read);
      });
      stream.abort();
      return /event: event\nid: (.+)\n/.exec(read)?.[1];
    };
    expect(await firstOf('?after=0', {})).toBe(first!.sequence_id);
    expect(await firstOf(`?after=${first!.sequence_id}`, {})).toBe(second!.sequence_id);
    expect(await firstOf('?after=0', { 'last-event-id': second!.sequence_id })).toBe(third!.sequence_id);
  });
});
