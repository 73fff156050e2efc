export { CommitListeners } from '../core/transaction.js';
export { affectedRows, type Dialect, mariadb, mysql, postgres } from './dialects.js';
export {
  id,
  Identifier,
  join,
  list,
  raw,
  render,
  type RenderedStatement,
  sql,
  type SqlPart,
  type SqlValue,
  Statement,
} from './statement.js';
