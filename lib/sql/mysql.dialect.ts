import type { Dialect, JsonColumn } from './dialect.js';
import { keepMark } from './mysql-result.js';
import { id, join, raw, sql } from './statement.js';

/** Keys compare byte by byte and keep trailing spaces: ids that differ in case, accent or space are different ids. */
export const KEY_COLLATION = { mysql: 'utf8mb4_0900_bin', mariadb: 'utf8mb4_nopad_bin' } as const;

/**
 * JSON_TABLE columns carry the collation of our key columns, so that comparing them uses the index. MariaDB cuts
 * values that are too long instead of failing, so its keys are wider here and fail when they are stored.
 */
function jsonType(name: 'mysql' | 'mariadb', type: JsonColumn): string {
  const text = `CHARACTER SET utf8mb4 COLLATE ${KEY_COLLATION[name]}`;
  switch (type) {
    case 'key':
      return `varchar(${name === 'mysql' ? 191 : 1000}) ${text}`;
    case 'text':
      return `longtext ${text}`;
    case 'int':
      return 'bigint';
    case 'bool':
      return 'tinyint';
  }
}

function mysqlDialect(name: 'mysql' | 'mariadb'): Dialect {
  const column = (key: string, type: JsonColumn) => {
    if (!/^\w+$/.test(key)) throw new TypeError(`"${key}" cannot be a column of JSON rows`);
    return sql`${id(key)} ${raw(`${jsonType(name, type)} PATH '$.${key}' NULL ON EMPTY ERROR ON ERROR`)}`;
  };
  return {
    name,
    family: 'mysql',
    placeholder: () => '?',
    quote: (identifier) => `\`${identifier.replaceAll('`', '``')}\``,
    // From UTC and a fixed date: UNIX_TIMESTAMP() repeats an hour when the session's time zone leaves summer time.
    now: sql`(TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000)`,
    rows: (json, columns) => {
      const listed = join(Object.entries(columns).map(([key, type]) => column(key, type)));
      return sql`JSON_TABLE(${json}, '$[*]' COLUMNS (${listed}))`;
    },
    // Not INSERT IGNORE: that would also swallow truncation, NULLs and foreign key errors.
    insertOrKeep: (insert, keys) => {
      const [key] = [keys].flat();
      if (!key) throw new TypeError('insertOrKeep needs the columns of the key');
      return sql`${insert} ON DUPLICATE KEY UPDATE ${key} = ${keepMark(key)}`;
    },
    onConflictUpdate: (_key, set) => sql`ON DUPLICATE KEY UPDATE ${set((incoming) => sql`VALUES(${id(incoming)})`)}`,
    notify: () => undefined,
  };
}

export const mysql = mysqlDialect('mysql');
export const mariadb = mysqlDialect('mariadb');
