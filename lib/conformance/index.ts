export type { ConformanceCase } from './case.js';
export { effectHandlerConformance, type EffectHandlerFixture, type HandlerFault } from './effect-handler.js';
export type { SqlExecutorFixture } from './sql-executor-transactions.js';
export { sqlExecutorConformance } from './sql-executor.js';
export {
  foreignAttemptsConformance,
  foreignRowsConformance,
  transportAnswersConformance,
  transportAttemptsConformance,
} from './transport-answers.js';
export {
  type ForeignRows,
  type SharedTablesFixture,
  type TransportFixture,
  transportTasksConformance,
} from './transport.js';
