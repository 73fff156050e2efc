export { CommitListeners } from '../core/transaction.js';
export { affectedRows, type Dialect, mariadb, mysql, postgres, render, type RenderedStatement } from './dialects.js';
export { id, Identifier, join, list, raw, sql, type SqlPart, type SqlValue, Statement } from './statement.js';
