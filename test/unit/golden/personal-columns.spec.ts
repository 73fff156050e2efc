import { schemaStatements, scriptOf } from '../../../lib/sql/migrations/migrator.js';
import { PERSONAL_COLUMNS } from '../../support/personal-columns.js';

/** The published tables have their own migrations; `test/apps/erasure.spec.ts` compares all with a migrated database. */
const PUBLISHED = ['outbox', 'outbox_nodes', 'outbox_era'];

describe('Columns with texts', () => {
  it('are listed in test/support/personal-columns.ts, with what an erasure does with them', () => {
    const found: Record<string, string[]> = {};
    for (const [, table, body] of scriptOf(schemaStatements('postgres', 'p')).matchAll(
      /CREATE TABLE IF NOT EXISTS "p_(\w+)" \((.*?)\n\)/gs,
    ))
      for (const [, column] of body!.matchAll(/\n {2}(\w+) (?:varchar|text)/g)) (found[table!] ??= []).push(column!);
    const known = Object.entries(PERSONAL_COLUMNS).filter(([table]) => !PUBLISHED.includes(table));
    const sorted = (tables: [string, string[]][]) => Object.fromEntries(tables.map(([t, names]) => [t, names.sort()]));
    expect(sorted(Object.entries(found))).toEqual(sorted(known.map(([t, fates]) => [t, Object.keys(fates)])));
  });
});
