export { type DbTransportOptions, type DispatchRequest } from './db-transport/db-transport-options.js';
export { DbTransport, type ResultListener, type StepResult } from './db-transport/db-transport.js';
export type {
  EffectOptions,
  OnOutboxMessageOptions,
  OutboxPublisherOptions,
  RemoteStepOptions,
  WorkerOptions,
  WorkflowOptions,
} from './decorators/decorator-options.js';
export { Effect, OnAbandoned, OnOperationComplete } from './decorators/effect.decorators.js';
export { RemoteStep, Worker, Workflow } from './decorators/workflow.decorators.js';
export { OnOutboxMessage, OutboxPublisher } from './decorators/outbox.decorators.js';
export type {
  ConnectionOptions,
  DurableModuleAsyncOptions,
  DurableModuleOptions,
  DurableOptionsFactory,
  EngineModuleOptions,
  Transport,
  WorkerModuleOptions,
} from './module/durable-options.interface.js';
export { DurableModule } from './durable.module.js';
export { DurableRuntime } from './module/durable-runtime.js';
export { type AbandonedEffect } from './effects/effect-listeners.js';
export type { AuditEvent, AuditEventType, AuditSink, RecordedAuditEvent } from './effects/audit-log.js';
export type { EffectCall, EffectEntry, EffectGroup, EffectOperation, EffectStatus } from './effects/effect-entry.js';
export { type EffectContext } from './effects/effect-handlers.js';
export { type UnclaimedEffects } from './effects/effect-storage.js';
export { alreadyAbsent, type MarkedOutcome, scheduleUntil } from './effects/effect-outcome.js';
export { Effects, type EnqueueOptions, type ListEffects } from './effects/effects.js';
export { EffectRunner } from './effects/runner/effect-runner.js';
export { type EffectsModuleOptions } from './module/effects-options.js';
export {
  type Attributes,
  type AttributeValue,
  type ParentClose,
  type RunReason,
  type RunStatus,
} from './engine/model/run.js';
export {
  type DeclaredSchedule,
  type MissedPolicy,
  type OverlapPolicy,
  type ScheduleOptions,
} from './engine/model/schedule-spec.js';
export {
  type ListSchedulesOptions,
  type NewSchedule,
  type ScheduleChanges,
  type ScheduleWriteOptions,
  type WorkflowSchedule,
} from './engine/schedules/schedule-views.js';
export { type StepKind, type StepStatus } from './engine/model/step-record.js';
export { type AnswerCursor, type TaskDispatcher } from './engine/model/task-dispatcher.js';
export { type PurgeOptions } from './engine/client/client-control.js';
export { type CompletionOptions, type StepFailure } from './engine/client/client-completions.js';
export { type SignalOptions, type SignalReceipt } from './engine/client/client-signals.js';
export { type StartOptions } from './engine/model/start-options.js';
export { WorkflowClient } from './engine/client/workflow-client.js';
export {
  type ChildHandle,
  type ChildOptions,
  type ClassOf,
  type Compensate,
  type FanIn,
  type FanInMode,
  type FanOutOptions,
  type FirstOf,
  type InputOf,
  type LocalStepContext,
  type LocalStepOptions,
  type OrmTransaction,
  type OutputOf,
  type RemoteClient,
  type RemoteOptions,
  type Retry,
  type RetryOptions,
  type RunLog,
  type SignalWaitOptions,
  type StepOptions,
  type TransactionOptions,
  type Waitable,
  type WorkflowClass,
  type WorkflowContext,
  type WorkflowRunner,
} from './engine/model/workflow-context.js';
export { type ResultOptions, type WorkflowHandle } from './engine/client/workflow-handle.js';
export { WorkflowSchedules } from './engine/schedules/workflow-schedules.js';
export {
  type AttributeRange,
  type ErrorView,
  type ListOptions,
  type StatusOptions,
  type WorkflowAttempt,
  type WorkflowChildStatus,
  type WorkflowLogLine,
  type WorkflowPage,
  type WorkflowRunStatus,
  type WorkflowStepStatus,
} from './engine/insight/workflow-status.js';
export { type WorkflowExplanation } from './engine/insight/explain.js';
export { type RunMismatch } from './engine/model/mismatch.js';
export { type WaitingFor, type WaitingStep } from './engine/insight/explain-waits.js';
export { WorkflowSignal } from './engine/model/mailbox.js';
export {
  AuditTimeoutError,
  CompensationFailedError,
  ConfigurationError,
  DatabaseError,
  DependencyFailedError,
  DurableError,
  EffectAttemptsExhaustedError,
  EffectTimeoutError,
  HistoryLimitError,
  InvalidArgumentError,
  InvalidTransactionError,
  MissingTableError,
  NonDeterminismError,
  NonRetryableEffectError,
  NonRetryablePublishError,
  NonRetryableStepError,
  OutboxOccupiedError,
  PayloadTooLargeError,
  PublishTimeoutError,
  ResultAbandonedError,
  ResultTimeoutError,
  RetryAfterError,
  ScheduleConflictError,
  ScheduleNotFoundError,
  SchemaError,
  SerializationError,
  StepAlreadySettledError,
  StepFailedError,
  StepNotFoundError,
  StepNotPendingError,
  StepTimeoutError,
  TransactionLostError,
  UnknownAuditEventError,
  UnknownEffectHandlerError,
  UnknownStepError,
  UnknownWorkflowError,
  UnreadablePayloadError,
  UnsupportedServerError,
  WorkflowCancelledError,
  WorkflowFailedError,
  WorkflowFailure,
  WorkflowIdConflictError,
  WorkflowNotEndedError,
  WorkflowNotFoundError,
  WorkflowNotRetryableError,
  WorkflowTerminatedError,
  WorkflowTimeoutError,
} from './errors.js';
export { memoryBackend, type MemoryBackend, type MemoryBackendOptions } from './memory-backend/memory-backend.js';
export { type Codec, jsonCodec } from './protocol/codec.js';
export { groupOf, type StepAnswer, stepIdOf, type StepTask } from './protocol/step.js';
export { type Transaction } from './protocol/transaction.js';
export { type Dialect, type JsonColumn } from './sql/dialects/dialect.js';
export { driverExecutor, type DriverExecutorOptions } from './sql/driver-executor.js';
export { mikroOrmExecutor } from './sql/mikro-orm-executor.js';
export {
  type CommitWork,
  type JoinedTransaction,
  type LeftOpen,
  type Listener,
  type OrmTransactionOptions,
  type SqlConnection,
  type SqlExecutor,
  type SqlResult,
  type SqlTransaction,
} from './sql/sql-executor.js';
export { type Statement } from './sql/dialects/statement.js';
export { type OutboxModuleOptions } from './module/outbox-options.js';
export { outboxRolesSql, type OutboxRoles, type OutboxRolesOptions } from './outbox/events/outbox-roles.sql.js';
export { outboxSchemaSql, type OutboxScriptOptions } from './outbox/events/outbox-script.sql.js';
export type { ChannelMessage, PacedResponse, ResetNote } from './outbox/live/channel-stream.js';
export { type ChannelSnapshot } from './outbox/live/channel-reader.js';
export { type ChannelOptions } from './outbox/live/outbox-feed.js';
export type { DeliveryContext, OnPoison } from './outbox/model/destination.js';
export { Outbox, type PublishOptions } from './outbox/client/outbox.js';
export { type NewOutboxEvent, type OutboxEvent, type OutboxOrdering } from './outbox/model/outbox-event.js';
export {
  type DeadLettersQuery,
  type LagQuery,
  OutboxOperations,
  type OperationsQuery,
} from './outbox/client/outbox-operations.js';
export { type AblyClient, ablyPublisher } from './outbox/publishers/ably-publisher.js';
export {
  type ClientProxyOptions,
  clientProxyPublisher,
  type EventEmittingClient,
} from './outbox/publishers/client-proxy-publisher.js';
export { type EventPublisher } from './outbox/publishers/event-publisher.js';
export {
  type SignedRequest,
  type WebhookOptions,
  verifyWebhook,
  webhookPublisher,
} from './outbox/publishers/webhook-publisher.js';
export { type ChannelLag, type DeadEvent, type StandingChannel } from './outbox/relay/dead-letters.js';
export { type KnownDestination } from './outbox/relay/shard-leases.js';
export { OutboxRelay } from './outbox/relay/outbox-relay.js';
export { type RetentionOptions } from './module/retention-options.js';
export { typeOrmExecutor } from './sql/typeorm-executor.js';
export { type BackoffOptions } from './time/backoff.js';
export { type Clock, systemClock } from './time/clock.js';
export { type Duration } from './time/duration.js';
export { type StepContext, type StepLog } from './worker/handler-registry.js';
export {
  type Claim,
  type ClaimedTask,
  type ClaimRequest,
  type GroupQuota,
  type TaskReport,
  type TaskSource,
  type UnservedTasks,
} from './worker/task-source.js';
