export { id, Identifier, join, list, raw, sql, type SqlPart, type SqlValue, Statement } from './statement.js';
