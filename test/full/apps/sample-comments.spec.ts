import { compiled } from '../../support/compiled.js';
import { CommentsPage } from '../../support/browser-comments.js';
import { type BrowserPage, openBrowserPage } from '../../support/browser-page.js';
import { createDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { gate } from '../../support/gate.js';
import { describeWithProgram } from '../../support/installed-programs.js';
import { type Program, startProgram } from '../../support/programs.js';
import { freePort } from '../../support/servers/server.mjs';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js';
import { until } from '../../support/until.js';

const AT_LEAST = 30;
const AT_MOST = 5_000;

describeWithProgram('chromium', 'The sample comments in two browsers', (chromium) => {
  let database: FreshDatabase;
  let proxy: TcpProxy;
  let env: NodeJS.ProcessEnv;
  let url: string;
  let app: Program;
  let relays: Program[];
  const browsers: BrowserPage[] = [];
  const programs: Program[] = [];

  beforeAll(async () => {
    database = await createDatabase('postgres');
    // Where it is to be found again when it is started again.
    const port = await freePort();
    env = { DATABASE_URL: database.url, PORT: String(port) };
    app = await start('app.js', 'app', 'comments on');
    await until('the app to listen', listening);
    relays = await Promise.all([start('relay.js', 'relay', 'relay '), start('relay.js', 'relay', 'relay ')]);
    proxy = await startTcpProxy({ host: '127.0.0.1', port });
    url = `http://127.0.0.1:${port}`;
    browsers.push(...(await Promise.all([openBrowserPage(chromium), openBrowserPage(chromium)])));
  });
  afterEach(() => Promise.all(browsers.map(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))));
  afterAll(async () => {
    await Promise.all(browsers.map((browser) => browser.close()));
    for (const { process } of programs) process.kill('SIGKILL');
    await Promise.all(programs.map(({ ended }) => ended));
    await proxy.close();
    await database.close();
  });

  const start = async (file: string, PGAPPNAME: string, ready: string) => {
    const program = startProgram(compiled(`sample/11-comments/${file}`), [], { ...env, PGAPPNAME });
    programs.push(program);
    const isReady = until(file, () => program.output().includes(ready));
    await isReady.catch(() => Promise.reject(new Error(program.output())));
    return program;
  };
  /** The connection on which the app is told of events; now and then it looks whether that still works. */
  const listening = async () => {
    const [row] = await database.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'app'
       AND (query LIKE 'LISTEN%' OR query = 'SELECT 1') ORDER BY backend_start DESC`,
    );
    return row?.pid;
  };
  const countOf = async (table: string) => {
    const [row] = await database.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`);
    return row!.count;
  };
  /** Comments as the database has put their events in order. */
  const inOrder = async () => {
    const rows = await database.query<{ mutation_id: string }>(
      `SELECT mutation_id FROM durable_outbox WHERE channel = 'posts:1' AND NOT rejected ORDER BY sequence_id`,
    );
    return rows.map((row) => row.mutation_id);
  };

  /** Posts until it was enough and `isOver`; returns what was posted. */
  const keepPosting = async (page: CommentsPage, author: string, isOver: () => boolean): Promise<string[]> => {
    const posted: string[] = [];
    while (posted.length < AT_LEAST || !isOver()) {
      if (posted.length >= AT_MOST) throw new Error(`${author} has posted ${posted.length} comments in vain`);
      const text = `${author} ${posted.length + 1}`;
      await page.post(text);
      posted.push(text);
      // As somebody who looks at what becomes of it, now and then.
      await until(`${author}'s comments to arrive`, async () => {
        const pending = (await page.comments()).filter(({ state }) => state === 'pending');
        return pending.length < 5;
      });
    }
    return posted;
  };

  /** The relay node that has the channel. Ends it without a word. */
  const killRelay = async (): Promise<{ dead: number; alive: number }> => {
    const pid = await until('a mail', async () => {
      const [mail] = await database.query<{ pid: number }>('SELECT pid FROM mails ORDER BY id DESC LIMIT 1');
      return mail?.pid;
    });
    const dead = relays.find(({ process }) => process.pid === pid)!;
    dead.process.kill('SIGKILL');
    await dead.ended;
    const alive = relays.find((relay) => relay !== dead)!;
    return { dead: dead.process.pid!, alive: alive.process.pid! };
  };

  /** What the page has asked for to begin with, or anew. */
  const snapshotsOf = ({ page }: CommentsPage): string[] => {
    const asked: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/posts/1') asked.push(request.url());
    });
    return asked;
  };

  const cutEvents = async ({ page, connection }: CommentsPage) => {
    // It may be live again before anybody has looked.
    await page.evaluate(`(() => {
      const shown = document.querySelector('#connection');
      window.states = [];
      new MutationObserver(() => window.states.push(shown.dataset.state)).observe(shown, { attributes: true });
    })()`);
    proxy.cut();
    await until('the page to notice', () => page.evaluate<boolean>(`window.states.includes('lost')`));
    await until('the page to go on', async () => (await connection()) === 'Live');
  };

  /** All connections of the app, also the one on which it is told of events. */
  const cutDatabase = async () => {
    const listener = await until('the app to listen', listening);
    const cut = await database.query<{ pid: number }>(
      `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'app'`,
    );
    expect(cut.map(({ pid }) => pid)).toContain(listener);
    await until('the app to listen again', async () => ![undefined, listener].includes(await listening()));
  };

  it('are in one order everywhere, whatever is cut off or killed', async () => {
    const [ada, bob] = [new CommentsPage(browsers[0]!.page, 'Ada'), new CommentsPage(browsers[1]!.page, 'Bob')];
    const snapshots = snapshotsOf(bob);
    await Promise.all([ada.open(url), bob.open(`http://127.0.0.1:${proxy.port}`)]);
    await until('both to be live', async () =>
      [await ada.connection(), await bob.connection()].every((state) => state === 'Live'),
    );

    let isOver = false;
    const posting = Promise.all([keepPosting(ada, 'Ada', () => isOver), keepPosting(bob, 'Bob', () => isOver)]);
    const breaking = async () => {
      await until('some comments', async () => (await countOf('comments')) >= 10);
      const relay = await killRelay();
      await cutEvents(bob);
      await cutDatabase();
      return relay;
    };
    const [[byAda, byBob], relay] = await Promise.all([posting, breaking().finally(() => (isOver = true))]);
    const expected = [...byAda, ...byBob].sort();
    expect(expected.length).toBeGreaterThanOrEqual(2 * AT_LEAST);
    for (const page of [ada, bob]) {
      const shown = await until('all comments to be shown and none to be pending', async () => {
        const comments = await page.comments();
        return comments.length === expected.length && comments.every(({ state }) => state === 'confirmed') && comments;
      });
      expect(shown.map(({ text }) => text).sort()).toEqual(expected);
      expect(shown.filter(({ author, text }) => !text.startsWith(`${author} `))).toEqual([]);
      expect(shown.map(({ id }) => id)).toEqual(await inOrder());
      expect(await page.count()).toBe(`${expected.length} comments`);
      expect(await page.connection()).toBe('Live');
    }

    // It went on where it stood, each time.
    expect(snapshots).toHaveLength(1);

    await until('all mails', async () => (await countOf('mails')) === expected.length);
    const mails = await database.query<{ comment: string; pid: number }>('SELECT comment, pid FROM mails ORDER BY id');
    expect(mails.map(({ comment }) => comment)).toEqual(await inOrder());
    expect(new Set(mails.map(({ pid }) => pid))).toEqual(new Set([relay.dead, relay.alive]));
    expect(mails.at(-1)!.pid).toBe(relay.alive);

    const before = await ada.comments();
    await ada.page.reload();
    await until('the page to be live again', async () => (await ada.connection()) === 'Live');
    expect(await ada.comments()).toEqual(before);
    expect(browsers.flatMap(({ errors }) => errors)).toEqual([]);
    expect(browsers.flatMap(({ hosts }) => [...hosts])).toEqual(['127.0.0.1', '127.0.0.1']);
  });

  it('are shown at once and taken back when they are refused, though the answer is lost', async () => {
    const [ada, bob] = [new CommentsPage(browsers[0]!.page, 'Ada'), new CommentsPage(browsers[1]!.page, 'Bob')];
    await Promise.all([ada.open(url), bob.open(url)]);
    const { length } = await until('the comments', async () => (await ada.connection()) === 'Live' && ada.comments());
    const [shown, noticed] = [gate(), gate()];
    let lost = 0;
    await ada.page.route('**/posts/1/comments*', async (route) => {
      if (lost++ > 0) return route.continue();
      await shown.opened;
      await route.fetch();
      // Only the stream can tell by now.
      await noticed.opened;
      return route.abort();
    });

    await ada.post('finest spam');
    const last = await until('it to be shown', async () => {
      const comment = (await ada.comments()).at(-1);
      return comment?.text === 'finest spam' && comment;
    });
    expect(last).toMatchObject({ state: 'pending', author: 'Ada' });
    shown.open();
    const notice = await until('the notice', () => ada.notice());
    expect(notice).toBe('“finest spam” was taken back: there is a word in it that nobody wants to read here.');
    expect(lost).toBe(1);
    expect(await ada.comments()).toHaveLength(length);
    noticed.open();
    // The page sends it again, since it had no answer; nothing more comes of it.
    await until('the answer', () => lost > 1);
    await ada.post('finest <b>ham</b>');
    for (const page of [ada, bob]) {
      const comments = await until('the next comment', async () => {
        const all = await page.comments();
        return all.at(-1)?.text === 'finest <b>ham</b>' && all.at(-1)?.state === 'confirmed' && all;
      });
      expect(comments).toHaveLength(length + 1);
    }
    expect(await bob.notice()).toBe('');
    await until('the relay to be done', async () => (await countOf('durable_outbox WHERE NOT processed')) === 0);
    expect(await countOf('mails')).toBe(length + 1);
  });

  it('are for those who have the key', async () => {
    const ada = new CommentsPage(browsers[0]!.page, 'Ada');
    await ada.open(`${url}/?post=2&key=sesame`);
    await until('the page to be live', async () => (await ada.connection()) === 'Live');
    await ada.post('a secret');
    await until('the comment', async () => (await ada.comments()).some(({ state }) => state === 'confirmed'));

    await ada.page.goto(`${url}/?post=2`);
    await until('the refusal', async () => (await ada.connection()) === 'There is nothing here for you');
    expect(await ada.comments()).toEqual([]);
    expect(await ada.page.locator('form').count()).toBe(0);
  });

  it('are taken from a new snapshot when what a page has missed is no longer kept', async () => {
    const [ada, bob] = [new CommentsPage(browsers[0]!.page, 'Ada'), new CommentsPage(browsers[1]!.page, 'Bob')];
    const [snapshotsOfAda, snapshots] = [snapshotsOf(ada), snapshotsOf(bob)];
    await Promise.all([ada.open(url), bob.open(`http://127.0.0.1:${proxy.port}`)]);
    const { length } = await until('the comments', async () => (await bob.connection()) === 'Live' && bob.comments());

    const sent = gate();
    await bob.page.route('**/posts/1/comments*', async (route) => {
      await sent.opened;
      await route.continue();
    });
    proxy.refuse(true);
    proxy.cut();
    await bob.post('while I was away');
    for (const text of ['first missed', 'second missed', 'third missed']) {
      await ada.post(text);
      await until('Ada to see it', async () => {
        const last = (await ada.comments()).at(-1);
        return last?.text === text && last.state === 'confirmed';
      });
    }
    await until('the relay to be done', async () => (await countOf('durable_outbox WHERE NOT processed')) === 0);
    await database.query(`UPDATE durable_outbox SET created_at = created_at - interval '2 hours'`);
    // The first that a node does is to look for what has become old.
    await start('relay.js', 'relay', 'relay ');
    await until('the events to go', async () => (await countOf('durable_outbox')) === 1);
    expect(await bob.comments()).toHaveLength(length + 1);

    // It remembers some of what it told others.
    app.process.kill('SIGKILL');
    await app.ended;
    app = await start('app.js', 'app', 'comments on');
    proxy.refuse(false);
    const missed = await until('what Bob has missed', async () => {
      const comments = await bob.comments();
      return comments.length === length + 4 && comments;
    });
    expect(missed.slice(-4)).toMatchObject([
      ...['first missed', 'second missed', 'third missed'].map((text) => ({ state: 'confirmed', text })),
      { state: 'pending', text: 'while I was away' },
    ]);
    sent.open();
    for (const page of [ada, bob])
      await until('the comments of both', async () => {
        const comments = await page.comments();
        return comments.length === length + 4 && comments.every(({ state }) => state === 'confirmed');
      });
    expect(await ada.comments()).toEqual(await bob.comments());
    expect([snapshotsOfAda.length, snapshots.length]).toEqual([1, 2]);
  });
});
