import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type INestApplicationContext, Injectable } from '@nestjs/common';
import { type CheckHook, setCheckHook } from '../../lib/nest/options.js';
import { DurableModule, Effect, type EffectContext, EffectRunner, Effects, memoryBackend } from '../../lib/index.js';
import { gate } from '../support/gate.js';
import { bootApp } from '../support/nest-app.js';
import { until } from '../support/until.js';

const called: string[] = [];
let answering: Promise<void> | undefined;

@Injectable()
class Services {
  @Effect('crm', { backoff: { delay: 10 } })
  async crm(ref: string, { attempt }: EffectContext): Promise<void> {
    called.push(`${ref} ${attempt}`);
    await answering;
    if (ref === 'refused' && attempt < 3) throw new Error('not yet');
  }
}

describe('effects without a database', () => {
  const apps: INestApplicationContext[] = [];
  let folder: string;
  let file: string;
  beforeEach(() => {
    called.length = 0;
    answering = undefined;
    folder = mkdtempSync(join(tmpdir(), 'nest-durable-effects-'));
    file = join(folder, 'state.json');
  });
  afterEach(async () => {
    setCheckHook(undefined as unknown as CheckHook);
    await Promise.all(apps.splice(0).map((app) => app.close()));
    rmSync(folder, { recursive: true, force: true });
  });

  const boot = async (run: boolean, backend = memoryBackend({ file })) => {
    const effects = { run, pollInterval: 10, shutdownTimeout: 10 };
    const durable = DurableModule.forRoot({ backend, engine: false, worker: false, outbox: false, effects });
    const app = await bootApp({ imports: [durable], providers: [Services] });
    apps.push(app);
    return app;
  };
  const enqueue = (app: INestApplicationContext, ref: string) =>
    app.get(Effects).enqueue({ operation: 'erase', subject: ref, calls: [{ handler: 'crm', ref }] });

  it('are kept in a file, and made again at once where their process is gone', async () => {
    const never = gate();
    answering = never.opened;
    const first = await boot(true);
    await enqueue(first, 'refused');
    await until('it is called', () => called.length === 1);
    // As if it had been killed: a second process begins with what the file holds.
    const kept = readFileSync(file, 'utf8');
    expect(kept).toContain('in_flight');
    answering = undefined;
    const effects = (await boot(true)).get(Effects);
    await until('it has succeeded', async () => (await effects.statusCounts()).succeeded === 1);
    expect(called).toEqual(['refused 1', 'refused 2', 'refused 3']);
    await until('that is kept', () => readFileSync(file, 'utf8').includes('operation_completed'));
    const again = (await boot(false)).get(Effects);
    expect(await again.statusCounts()).toMatchObject({ succeeded: 1, in_flight: 0 });
    const recorded = await again.auditLog({ operation: 'erase', subject: 'refused' });
    expect(recorded.map(({ type }) => type)).toEqual(['effect_succeeded', 'operation_completed']);
    expect(recorded[0]?.recordedAt).toBeInstanceOf(Date);
    never.open();
  });

  it('are neither enqueued nor made while an app is only checked', async () => {
    const backend = memoryBackend();
    await enqueue(await boot(false, backend), 'before');
    let found = 0;
    setCheckHook({ found: () => void found++ });
    const app = await boot(true, backend);
    expect(found).toBe(1);
    await expect(enqueue(app, 'after')).rejects.toThrow(/nest-durable check/);
    await expect(app.get(Effects).requeue(['any'])).rejects.toThrow(/nest-durable check/);
    await expect(app.get(EffectRunner).runOnce()).rejects.toThrow(/nest-durable check/);
    expect(await app.get(Effects).statusCounts()).toMatchObject({ pending: 1 });
    expect(called).toEqual([]);
  });
});
