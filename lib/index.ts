export { type DbTransportOptions, type DispatchRequest } from './db-transport/db-transport-options.js';
export { DbTransport, type ResultListener, type StepResult } from './db-transport/db-transport.js';
export { type RemoteStepOptions, type WorkerOptions, type WorkflowOptions } from './decorators/decorator-options.js';
export { type EffectOptions } from './decorators/effect-options.js';
export { Effect } from './decorators/effect.decorator.js';
export { OnAbandoned } from './decorators/on-abandoned.decorator.js';
export { OnOperationComplete } from './decorators/on-operation-complete.decorator.js';
export { RemoteStep } from './decorators/remote-step.decorator.js';
export { Worker } from './decorators/worker.decorator.js';
export { OnOutboxMessage } from './decorators/on-outbox-message.decorator.js';
export { type OnOutboxMessageOptions, type OutboxPublisherOptions } from './decorators/outbox-options.js';
export { OutboxPublisher } from './decorators/outbox-publisher.decorator.js';
export { Workflow } from './decorators/workflow.decorator.js';
export { type DurableModuleAsyncOptions, type DurableOptionsFactory } from './module/durable-async-options.js';
export {
  type ConnectionOptions,
  type DurableModuleOptions,
  type EngineModuleOptions,
  type Transport,
  type WorkerModuleOptions,
} from './module/durable-options.interface.js';
export { DurableModule } from './durable.module.js';
export { DurableRuntime } from './module/durable-runtime.js';
export { type AbandonedEffect } from './effects/abandonment-listener.js';
export { type AuditEvent, type AuditEventType, type RecordedAuditEvent } from './effects/audit-event.js';
export { type EffectCall, type EffectOperation } from './effects/effect-call.js';
export { type EffectContext } from './effects/effect-context.js';
export { type EffectEntry, type EffectGroup, type EffectStatus } from './effects/effect-entry.js';
export { type UnclaimedEffects } from './effects/effect-insight.js';
export { alreadyAbsent, type MarkedOutcome, scheduleUntil } from './effects/effect-outcome.js';
export { Effects, type EnqueueOptions, type ListEffects } from './effects/effects.js';
export { type AuditSink } from './effects/external-audit-log.js';
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
export { type PurgeOptions } from './engine/client/client-removal.js';
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
export { type WaitingFor, type WaitingStep } from './engine/insight/waiting-for.js';
export { WorkflowSignal } from './engine/model/workflow-signal.js';
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
export { type Dialect, type JsonColumn } from './sql/dialect.js';
export { driverExecutor, type DriverExecutorOptions } from './sql/driver-executor.js';
export { mikroOrmExecutor } from './sql/mikro-orm-executor.js';
export {
  type JoinedTransaction,
  type Listener,
  type OrmTransactionOptions,
  type SqlConnection,
  type SqlExecutor,
  type SqlResult,
} from './sql/sql-executor.js';
export { type Statement } from './sql/statement.js';
export { type OutboxModuleOptions } from './module/outbox-options.js';
export { outboxRolesSql, type OutboxRoles, type OutboxRolesOptions } from './outbox/events/outbox-roles.sql.js';
export { outboxSchemaSql, type OutboxScriptOptions } from './outbox/events/outbox-script.sql.js';
export { type ChannelMessage, type ResetNote } from './outbox/live/channel-message.js';
export { type ChannelSnapshot } from './outbox/live/channel-snapshots.js';
export { type PacedResponse } from './outbox/live/channel-stream.js';
export { type ChannelOptions } from './outbox/live/outbox-feed.js';
export { type DeliveryContext } from './outbox/model/destination.js';
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
export { type WebhookOptions, webhookPublisher } from './outbox/publishers/webhook-publisher.js';
export { type SignedRequest, verifyWebhook } from './outbox/publishers/webhook-signature.js';
export { type ChannelLag, type DeadEvent, type StandingChannel } from './outbox/relay/dead-letters.js';
export { type KnownDestination } from './outbox/relay/destination-roster.js';
export { OutboxRelay } from './outbox/relay/outbox-relay.js';
export { type OnPoison } from './outbox/model/poison-policy.js';
export { type RetentionOptions } from './module/retention-options.js';
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
