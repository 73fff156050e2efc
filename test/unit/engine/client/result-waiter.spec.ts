import { macrotask, systemClock } from '../../../../lib/core/time.js';
import { ResultWaiter } from '../../../../lib/engine/client/results.js';
import { InMemoryRunControl } from '../../../../lib/engine/control.memory.js';
import { InMemoryRunCatalog } from '../../../../lib/engine/starts.memory.js';
import { MemoryTables } from '../../../../lib/engine/tables.memory.js';

/** Runs that end in other processes, on a database that tells nobody. */
class Silent extends InMemoryRunCatalog {
  override onFinished(): () => void {
    return () => undefined;
  }
}

const newRun = (id: string) => ({
  id,
  namespace: '',
  workflow: 'w',
  version: 1,
  input: 'null',
  priority: 0,
  delayMs: 0,
});

const forever = () => new AbortController().signal;

describe('ResultWaiter', () => {
  let store: InMemoryRunCatalog;
  let tables: MemoryTables;
  let waiter: ResultWaiter;
  const open = (Catalog: typeof InMemoryRunCatalog) => {
    tables = new MemoryTables();
    store = new Catalog(systemClock, tables);
    waiter = new ResultWaiter(store, { pollMs: 100, onError: () => undefined });
  };
  const cancel = (id: string) =>
    new InMemoryRunControl(systemClock, tables).close(id, 'cancelled', async () => undefined);
  afterEach(() => waiter.stop());

  it('hears of an end that nobody tells of, however many others begin to wait', async () => {
    open(Silent);
    await store.create([newRun('first')]);
    let ended = false;
    const first = waiter.wait('first', forever(), false).then((run) => {
      ended = true;
      return run;
    });
    await macrotask();
    await cancel('first');
    for (let n = 0; !ended; n++) {
      await store.create([newRun(`r${n}`)]);
      waiter.wait(`r${n}`, forever(), false).catch(() => undefined);
      await macrotask();
    }
    expect((await first)?.status).toBe('cancelled');
  });

  it('hears of an end that it is told of', async () => {
    open(InMemoryRunCatalog);
    await store.create([newRun('r1')]);
    const waiting = waiter.wait('r1', forever(), false);
    await cancel('r1');
    expect((await waiting)?.id).toBe('r1');
  });

  it('tells those who still wait that the process stops, and those who come later', async () => {
    open(InMemoryRunCatalog);
    await store.create([newRun('r1')]);
    const waiting = waiter.wait('r1', forever(), false).catch((error: unknown) => error);
    await waiter.stop();
    expect(await waiting).toMatchObject({ code: 'RESULT_ABANDONED' });
    await expect(waiter.wait('r1', forever(), false)).rejects.toMatchObject({ code: 'RESULT_ABANDONED' });
  });
});
