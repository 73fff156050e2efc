import type { EffectRow } from '../../contract/conformance/effects.js';
import { type Backend, describeDatabases } from '../../support/backends.js';
import { type Chaos, effectChaos, HANDLERS } from '../../support/effect-chaos.js';
import { type EffectsDatabase, effectsDatabase } from '../../support/effects-database.js';
import { sized } from '../../support/tiers.js';
import { until } from '../../support/until.js';

const SUBJECTS = sized(1_000, 60);
const PROCESSES = 5;

interface Event extends Record<string, unknown> {
  type: string;
  entry_id: string | null;
  subject: string;
}

describeDatabases('five runners with leases shorter than their calls, and faults of every kind', (at: Backend) => {
  let database: EffectsDatabase;
  let chaos: Chaos;
  const subjects = Array.from({ length: SUBJECTS }, (_, n) => `person-${n}`);
  /** What was seen of entries that had ended. */
  const ended = new Map<string, EffectRow['status']>();
  const back: string[] = [];

  const look = async (): Promise<EffectRow[]> => {
    const rows = await database.rows();
    for (const { entryId, status } of rows) {
      const before = ended.get(entryId);
      if (before !== undefined && before !== status) back.push(`${entryId}: ${before} -> ${status}`);
      if (status === 'succeeded' || status === 'abandoned') ended.set(entryId, status);
    }
    return rows;
  };
  const allEnded = () =>
    until(
      'all have ended',
      async () => {
        const rows = await look();
        return rows.every(({ status }) => status === 'succeeded' || status === 'abandoned') && rows;
      },
      { withinMs: 200_000, everyMs: 50 },
    );
  const events = () => database.backend.query<Event>('SELECT type, entry_id, subject FROM durable_effect_audit');
  const completed = async () => {
    const rows = await database.backend.query<{ subject: string }>('SELECT subject FROM completed');
    return rows.map(({ subject }) => subject).sort();
  };
  const idsOf = (of: readonly Event[], type: string) =>
    of.flatMap(({ type: each, entry_id: id }) => (each === type ? [String(id)] : [])).sort();

  beforeAll(async () => {
    database = await effectsDatabase(at);
    await database.backend.query('CREATE TABLE completed (subject VARCHAR(50))');
    chaos = await effectChaos(at, database, PROCESSES);
  });
  afterAll(async () => {
    await chaos?.stop();
    await database?.close();
  });

  it('end every entry once, complete every subject once, and tell every abandonment once', async () => {
    const startedAt = performance.now();
    const ids: string[] = [];
    for (const [n, subject] of subjects.entries()) {
      const calls = HANDLERS.map((handler) => ({ handler, ref: n }));
      ids.push(...(await chaos.runners[n % PROCESSES]!.effects.enqueue({ operation: 'erase', subject, calls })));
    }
    const rows = await allEnded();
    const of = (status: EffectRow['status']) =>
      rows.flatMap((row) => (row.status === status ? [row.entryId] : [])).sort();
    const trail = await events();
    process.stdout.write(
      `${at.name}: ${ids.length} calls in ${Math.round(performance.now() - startedAt)} ms, ` +
        `${of('abandoned').length} abandoned, ${chaos.lost()} outcomes fenced out\n`,
    );
    expect(back).toEqual([]);
    expect(chaos.lost()).toBeGreaterThan(20);
    expect(of('abandoned').length).toBeGreaterThan(0);
    // One record of each end, and nothing of those whose claims did not hold.
    expect(idsOf(trail, 'effect_succeeded')).toEqual(of('succeeded'));
    expect(idsOf(trail, 'effect_abandoned')).toEqual(of('abandoned'));
    await until('all were told', () => chaos.told.length >= of('abandoned').length);
    expect([...chaos.told].sort()).toEqual(of('abandoned'));
    const blocked = new Set(trail.flatMap(({ type, subject }) => (type === 'effect_abandoned' ? [subject] : [])));
    const whole = subjects.filter((subject) => !blocked.has(subject)).sort();
    expect(await completed()).toEqual(whole);
    expect(
      trail
        .filter(({ type }) => type === 'operation_completed')
        .map(({ subject }) => subject)
        .sort(),
    ).toEqual(whole);
  });

  it('complete the others, each once, when what was abandoned is requeued', async () => {
    chaos.calm();
    const { effects } = chaos.runners[0]!;
    await until(
      'all have succeeded',
      async () => {
        const abandoned = (await effects.listAbandoned({ limit: 10_000 })).map(({ entryId }) => entryId);
        // Leases of this length may run out on a busy machine, and so may attempts.
        for (const id of abandoned) ended.delete(id);
        expect(new Set(await effects.requeue(abandoned))).toEqual(new Set(abandoned));
        await allEnded();
        return abandoned.length === 0;
      },
      { withinMs: 200_000 },
    );
    expect(back).toEqual([]);
    expect(await effects.statusCounts()).toMatchObject({ succeeded: SUBJECTS * HANDLERS.length, abandoned: 0 });
    expect(await completed()).toEqual([...subjects].sort());
    const abandonments = idsOf(await events(), 'effect_abandoned');
    await until('all were told', () => chaos.told.length >= abandonments.length);
    expect([...chaos.told].sort()).toEqual(abandonments);
  });
});
