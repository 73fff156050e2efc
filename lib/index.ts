export { type DbTransportOptions, type DispatchRequest } from './db-transport-options.js';
export { DbTransport, type ResultListener, type StepResult } from './db-transport.js';
export { type RemoteStepOptions, type WorkerOptions, type WorkflowOptions } from './decorators/decorator-options.js';
export { RemoteStep } from './decorators/remote-step.decorator.js';
export { Worker } from './decorators/worker.decorator.js';
export { Workflow } from './decorators/workflow.decorator.js';
export { type DurableModuleAsyncOptions, type DurableOptionsFactory } from './durable-async-options.js';
export {
  type ConnectionOptions,
  type DurableModuleOptions,
  type EngineModuleOptions,
  type Transport,
  type WorkerModuleOptions,
} from './durable-options.interface.js';
export { DurableModule } from './durable.module.js';
export { DurableRuntime } from './durable-runtime.js';
export { type RunStatus } from './engine/run.js';
export { type StepKind, type StepStatus } from './engine/step-record.js';
export { type AnswerCursor, type TaskDispatcher } from './engine/task-dispatcher.js';
export { type InputOf, type OutputOf, type StartOptions, WorkflowClient } from './engine/workflow-client.js';
export {
  type ClassOf,
  type LocalStepContext,
  type OrmTransaction,
  type RemoteClient,
  type RemoteOptions,
  type Retry,
  type RetryOptions,
  type StepOptions,
  type WorkflowContext,
  type WorkflowRunner,
} from './engine/workflow-context.js';
export {
  type ListOptions,
  type ResultOptions,
  type WorkflowHandle,
  type WorkflowPage,
  type WorkflowRunStatus,
  type WorkflowStepStatus,
} from './engine/workflow-handle.js';
export {
  ConfigurationError,
  DatabaseError,
  DurableError,
  HistoryLimitError,
  InvalidArgumentError,
  InvalidTransactionError,
  MissingTableError,
  NonDeterminismError,
  NonRetryableStepError,
  PayloadTooLargeError,
  ResultAbandonedError,
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
export { type Dialect, type JsonColumn } from './sql/dialect.js';
export { driverExecutor, type DriverExecutorOptions } from './sql/driver-executor.js';
export { mikroOrmExecutor } from './sql/mikro-orm-executor.js';
export {
  type JoinedTransaction,
  type Listener,
  type SqlConnection,
  type SqlExecutor,
  type SqlResult,
} from './sql/sql-executor.js';
export { id, Identifier, join, list, raw, sql, type SqlPart, type SqlValue, Statement } from './sql/statement.js';
export { typeOrmExecutor } from './sql/typeorm-executor.js';
export { type BackoffOptions } from './time/backoff.js';
export { type Clock, systemClock } from './time/clock.js';
export { type Duration } from './time/duration.js';
export { type StepContext, type StepLog } from './worker/step-context.js';
export {
  type Claim,
  type ClaimedTask,
  type ClaimRequest,
  type GroupQuota,
  type TaskReport,
  type TaskSource,
  type UnservedTasks,
} from './worker/task-source.js';
