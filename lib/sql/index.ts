export { CommitListeners } from '../protocol/transaction.js';
export { type Dialect } from './dialects/dialect.js';
export { mariadb, mysql } from './dialects/mysql.dialect.js';
export { affectedRows } from './dialects/mysql-result.js';
export { postgres } from './dialects/postgres.dialect.js';
export { render, type RenderedStatement } from './dialects/render.js';
export { id, Identifier, join, list, raw, sql, type SqlPart, type SqlValue, Statement } from './dialects/statement.js';
