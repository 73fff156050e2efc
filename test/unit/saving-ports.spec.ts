import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PortMethods } from '../../lib/core/transaction.js';
import { limiterOf } from '../../lib/engine/limits.js';
import { memoryBackend, saving } from '../../lib/memory-backend.js';
import { newRun } from '../contract/conformance/fixtures.js';

interface Shelf {
  look(): Promise<number>;
  put(n: number): Promise<void>;
  sweep(least: number): Promise<number>;
  onPut(listener: () => void): void;
}

const METHODS: PortMethods<Shelf> = { look: 'reads', put: 'writes', sweep: 'finds', onPut: 'tells' };

class MemoryShelf implements Shelf {
  private kept: number[] = [];
  look = async () => this.kept.length;
  put = async (n: number) => void this.kept.push(n);
  onPut = () => {};
  async sweep(least: number): Promise<number> {
    const before = this.kept.length;
    this.kept = this.kept.filter((n) => n >= least);
    return before - this.kept.length;
  }
}

describe('a port whose changes are saved', () => {
  it('saves after what writes, and after what finds something', async () => {
    let saves = 0;
    const shelf = saving<Shelf>(new MemoryShelf(), METHODS, async () => void saves++);
    await shelf.put(1);
    expect(saves).toBe(1);
    shelf.onPut(() => {});
    expect([await shelf.look(), saves]).toEqual([1, 1]);
    expect([await shelf.sweep(0), saves]).toEqual([0, 1]);
    expect([await shelf.sweep(2), saves]).toEqual([1, 2]);
  });

  it('resolves once it is saved', async () => {
    let saved = false;
    const shelf = saving<Shelf>(new MemoryShelf(), METHODS, async () => {
      await Promise.resolve();
      saved = true;
    });
    await shelf.put(1);
    expect(saved).toBe(true);
  });
});

describe('the file of a memory backend', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nest-durable-saving-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('knows of the permit that a run was given', async () => {
    const file = join(folder, 'state.json');
    const { engine } = memoryBackend({ file });
    const key = limiterOf('', 'workflow', 'order', '');
    const limiter = { limiter: key, namespace: '', name: 'order', key: '', limits: { concurrency: 1 } };
    await engine.roster.beat({ id: 'me', namespace: '', roles: 'engine' }, 60_000);
    await engine.catalog.create([newRun('a', { limiter })]);
    const claimed = await engine.store.claim({
      nodeId: 'me',
      namespace: '',
      which: 'due',
      workflows: [{ name: 'order', version: 1 }],
      limit: 1,
    });
    const before = readFileSync(file, 'utf8');
    const { admitted } = await engine.admissions.admit(claimed);
    expect(admitted).toHaveLength(1);
    expect(readFileSync(file, 'utf8')).not.toBe(before);
  });
});
