export { CommitListeners } from '../protocol/transaction.js';
export { type Dialect, render, type RenderedStatement } from './dialects/dialect.js';
export { mariadb, mysql, affectedRows } from './dialects/mysql.dialect.js';
export { postgres } from './dialects/postgres.dialect.js';
export { id, Identifier, join, list, raw, sql, type SqlPart, type SqlValue, Statement } from './dialects/statement.js';
