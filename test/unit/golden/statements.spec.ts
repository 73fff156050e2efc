import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mariadb, mysql, postgres } from '../../../lib/sql/dialects.js';
import { type Call, renderings } from './renderings.js';
import { statementFunctions } from './statement-functions.js';
import { ROOT } from '../../support/root.mjs';

/**
 * Every statement of `lib` as each database gets it, in `files`. What a change does to the SQL is seen in its diff:
 * `DURABLE_TEST_GOLDEN=write npm test -- test/unit/golden` writes them anew.
 */
const FILES = join(ROOT, 'test/unit/golden/files/');

/** How keys in JSON are spelled on MySQL, and on MariaDB. */
const MYSQL_KEY = 'varchar(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin';
const MARIADB_KEY = 'varchar(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin';
const asOnMysql = (text: string): string =>
  text.replaceAll(MARIADB_KEY, MYSQL_KEY).replaceAll('utf8mb4_nopad_bin', 'utf8mb4_0900_bin');

/** A file for each folder and database. That of MariaDB has what differs from MySQL by more than names of collations. */
async function rendered({ functions, checker }: ReturnType<typeof statementFunctions>): Promise<Map<string, string>> {
  const files = new Map<string, string[]>();
  for (const one of functions) {
    const module = (await import(`../../../lib/${one.file.replace(/\.ts$/, '.js')}`)) as Record<string, Call>;
    const textsOn = (dialect: typeof mysql) => renderings(module[one.name] as Call, one, dialect, checker);
    const add = (database: string, texts: readonly string[]) => {
      const path = `${dirname(one.file)}.${database}.sql`;
      if (texts.length > 0) files.set(path, [...(files.get(path) ?? []), ...texts]);
    };
    if (one.families.includes('postgres')) add('postgres', textsOn(postgres));
    if (!one.families.includes('mysql')) continue;
    const onMysql = textsOn(mysql);
    add('mysql', onMysql);
    add(
      'mariadb',
      textsOn(mariadb).filter((text) => !onMysql.includes(asOnMysql(text))),
    );
  }
  return new Map([...files].map(([path, texts]) => [path, texts.join('\n')]));
}

function write(files: ReadonlyMap<string, string>): void {
  rmSync(FILES, { recursive: true, force: true });
  for (const [path, text] of files) {
    mkdirSync(dirname(join(FILES, path)), { recursive: true });
    writeFileSync(join(FILES, path), text);
  }
}

describe('The statements of lib', () => {
  const found = statementFunctions();

  it('are all found, and each is used', () => {
    expect(found.functions.length).toBeGreaterThan(300);
    expect(found.functions.filter(({ used }) => !used).map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
  });

  it('are rendered as the golden files have them', async () => {
    const files = await rendered(found);
    if (process.env.DURABLE_TEST_GOLDEN === 'write') write(files);
    const golden = existsSync(FILES)
      ? readdirSync(FILES, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.sql'))
      : [];
    expect([...files.keys()].sort()).toEqual(golden.sort());
    for (const [path, text] of files)
      expect(`${path}\n${text}`).toBe(`${path}\n${readFileSync(join(FILES, path), 'utf8')}`);
  });

  /** What locks the rows that it reads, on MySQL and MariaDB. */
  function locking(): string[] {
    const files = readdirSync(FILES, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /(mysql|mariadb)\.sql$/.test(path),
    );
    const texts = files.flatMap((path) => readFileSync(join(FILES, path), 'utf8').split(/^--.*\n|;\n/m));
    return texts.filter((text) => /^(UPDATE|DELETE)\b|\bFOR UPDATE\b|\bLOCK IN SHARE MODE\b/.test(text));
  }

  it('join what they change in an order of ours on MySQL and MariaDB: with few rows another one locks those of others', () => {
    const changes = locking().filter((text) => /^(UPDATE|DELETE)/.test(text));
    expect(changes.length).toBeGreaterThan(100);
    expect(changes.filter((text) => /(?<!STRAIGHT_)JOIN `durable_/.test(text))).toEqual([]);
  });

  it('lock by an index what they find by a list on MySQL and MariaDB: of a short table, it would read all rows', () => {
    const byList = locking().filter((text) => /\bIN \(\?/.test(text));
    expect(byList.length).toBeGreaterThan(50);
    expect(byList.filter((text) => !text.includes('FORCE INDEX') || text.startsWith('DELETE'))).toEqual([]);
  });
});
