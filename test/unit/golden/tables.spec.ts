import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { mysqlTables } from '../../../lib/outbox/published-tables.mysql.sql.js';
import { postgresTables } from '../../../lib/outbox/published-tables.postgres.sql.js';
import { mariadb, mysql, postgres } from '../../../lib/sql/dialects.js';
import { migratedTables } from '../../../lib/sql/migrations/migrator.js';
import { tablesWithPrefix } from '../../../lib/sql/tables.js';
import { ROOT } from '../../support/root.mjs';

/** For every table, docs/operating.md says what deletes its rows. */
const OPERATING = join(ROOT, 'docs/operating.md');

const names = { schema: 's', table: 'p_outbox', nodesTable: 'p_outbox_nodes', topicChannel: 's.p_outbox' };

const published = {
  postgres: () => postgresTables(names),
  mysql: () => mysqlTables(mysql, names),
  mariadb: () => mysqlTables(mariadb, names),
};

const nameIn = (text: string): string[] => /p_(\w+)"?$/.exec(text)?.slice(1) ?? [];

const documented = (): string[] => {
  const [, section = ''] = readFileSync(OPERATING, 'utf8').split('\n## What deletes rows\n');
  const [table = ''] = section.split('\n## ');
  return table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...line.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, name]) => name!));
};

describe('What deletes the rows of a table', () => {
  it('is documented for every table, and for no other', () => {
    const all = [postgres, mysql, mariadb].flatMap((dialect) => [
      ...migratedTables(dialect, tablesWithPrefix('p')).flatMap(({ name }) => nameIn(name)),
      ...published[dialect.name]().flatMap(({ what }) => (what.startsWith('table ') ? nameIn(what) : [])),
    ]);
    expect(documented().sort()).toEqual([...new Set(all)].sort());
  });
});
