export {
  ConfigurationError,
  DatabaseError,
  DurableError,
  InvalidArgumentError,
  InvalidTransactionError,
  MissingTableError,
  NonDeterminismError,
  NonRetryableStepError,
  PayloadTooLargeError,
  ResultTimeoutError,
  SchemaError,
  SerializationError,
  StepFailedError,
  StepTimeoutError,
  UnknownStepError,
  UnknownWorkflowError,
  UnreadablePayloadError,
  WorkflowCancelledError,
  WorkflowFailedError,
  WorkflowIdConflictError,
  WorkflowNotFoundError,
} from './errors.js';
export { type Codec, jsonCodec } from './protocol/codec.js';
export { groupOf, type StepAnswer, stepIdOf, type StepTask } from './protocol/step.js';
export { type JoinedTransaction, type SqlConnection, type SqlExecutor, type SqlResult } from './sql/sql-executor.js';
export { id, Identifier, join, list, raw, sql, type SqlPart, type SqlValue, Statement } from './sql/statement.js';
export { type BackoffOptions } from './time/backoff.js';
export { type Clock, systemClock } from './time/clock.js';
export { type Duration } from './time/duration.js';
