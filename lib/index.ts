export {
  type Act,
  type ActedBy,
  type ActKind,
  type ActPage,
  type ByOperator,
  type ListActsOptions,
  OperatorActs,
} from './acts/acts.js';
export type { Hold, HoldKind } from './acts/holds.js';
export {
  type Codec,
  type CodecContext,
  jsonCodec,
  type NotStored,
  type Stored,
  UnreadablePayload,
} from './core/codec.js';
export {
  AsyncSchemaError,
  AuditTimeoutError,
  BrokenSealError,
  ConfigurationError,
  DatabaseError,
  DurableError,
  EffectAttemptsExhaustedError,
  EffectTimeoutError,
  InvalidArgumentError,
  InvalidTransactionError,
  MissingRightsError,
  MissingTableError,
  NonRetryableEffectError,
  NonRetryablePublishError,
  NotACounterError,
  OutboxOccupiedError,
  PayloadTooLargeError,
  ProcessEndingError,
  PublishTimeoutError,
  QuestionTimeoutError,
  RequeueOffError,
  SchemaError,
  SerializationError,
  TransactionLostError,
  UnknownAuditEventError,
  UnknownEffectHandlerError,
  UnknownKeyError,
  UnknownOptionError,
  UnreadablePayloadError,
  UnsupportedServerError,
  ValidationError,
  type ValidationIssue,
} from './core/errors.js';
export type { StandardSchema } from './core/options.js';
export { groupOf, type StepAnswer, type StepContext, stepIdOf, type StepLog, type StepTask } from './core/protocol.js';
export {
  CompensationFailedError,
  ContextMisuseError,
  DependencyFailedError,
  EditRefusedError,
  HistoryLimitError,
  NodeNotFoundError,
  NonDeterminismError,
  NonRetryableStepError,
  ResultAbandonedError,
  ResultTimeoutError,
  ResultTooEarlyError,
  RetryAfterError,
  ScheduleConflictError,
  ScheduleNotFoundError,
  StepAlreadySettledError,
  StepFailedError,
  StepNotEditableError,
  StepNotFoundError,
  StepNotPendingError,
  StepTimeoutError,
  TooManyDeferralsError,
  UnawaitedCallsError,
  UnknownStepError,
  UnknownWorkflowError,
  WorkflowCancelledError,
  WorkflowErasedError,
  WorkflowFailedError,
  WorkflowFailure,
  WorkflowForkRefusedError,
  WorkflowIdConflictError,
  WorkflowNotEndedError,
  WorkflowNotFoundError,
  WorkflowNotResumableError,
  WorkflowNotRetryableError,
  WorkflowTerminatedError,
  WorkflowTimeoutError,
} from './core/run-errors.js';
export {
  type NamedKey,
  type Sealed,
  type SealedCodec,
  sealedCodec,
  type SealedCodecOptions,
  type SealingKey,
  type SubjectKeys,
} from './core/sealing.js';
export { backoffMs, type BackoffOptions, type Clock, type Duration, systemClock } from './core/time.js';
export type { Transaction } from './core/transaction.js';
export type { RedactableError } from './core/wire-error.js';
export type { CheckGroup, CheckReport, DoctorLimits, DoctorReport, Finding, FindingLevel } from './doctor/check.js';
export { type DoctorOptions, DurableDoctor, type ExamineOptions, type KnownCheck } from './doctor/doctor.js';
export { DurableModule } from './durable.module.js';
export {
  Effects,
  type EnqueueOptions,
  type ListEffects,
  type PurgeEffects,
  type PurgeEndedEffects,
} from './effects/effects.js';
export type {
  AuditEvent,
  AuditEventType,
  AuditSink,
  CountedEffects,
  EffectCall,
  EffectEntry,
  EffectGroup,
  EffectOperation,
  EffectStatus,
  RecordedAuditEvent,
  UnclaimedEffects,
} from './effects/entries.js';
export {
  type AbandonedEffect,
  alreadyAbsent,
  type EffectContext,
  type MarkedOutcome,
  scheduleUntil,
} from './effects/handlers.js';
export { type ClaimBatch, type EffectAttempt, EffectEntries, EffectRunner } from './effects/runner.js';
export { Bulk, type BulkBatch, type BulkFilter, type BulkOptions, type BulkTotal } from './engine/client/bulk.js';
export { WorkflowClient } from './engine/client/client.js';
export type {
  ControlOptions,
  ForkOptions,
  PurgeOptions,
  PurgeSignalsOptions,
  RestartOptions,
} from './engine/client/control.js';
export type { EraseOptions, ErasureTarget, RunsTarget } from './engine/client/erasure.js';
export type { StoryTarget } from './engine/client/insight.js';
export type { EditOptions, HoldOptions, HoldTarget, StepResolution } from './engine/client/operator-client.js';
export type { ResultOptions, WorkflowHandle } from './engine/client/results.js';
export {
  type ListSchedulesOptions,
  type NewSchedule,
  type PlanChanges,
  type ScheduleChanges,
  type ScheduleWriteOptions,
  type WorkflowSchedule,
  WorkflowSchedules,
} from './engine/client/schedules.js';
export type { CompletionOptions, SignalOptions, SignalReceipt, StepFailure } from './engine/client/signals.js';
export type {
  ChildHandle,
  Dependencies,
  Dependency,
  ChildOptions,
  ClassOf,
  Compensate,
  FanIn,
  FanInMode,
  FanOutOptions,
  FirstOf,
  InputOf,
  LocalStepContext,
  LocalStepOptions,
  OnExhausted,
  OrmTransaction,
  OutputOf,
  RemoteClient,
  RemoteOptions,
  RemoteOutput,
  Retry,
  RetryOptions,
  RunLog,
  SignalWaitOptions,
  StepOptions,
  TransactionOptions,
  Waitable,
  WorkflowArguments,
  WorkflowClass,
  WorkflowContext,
  WorkflowRunner,
} from './engine/context.js';
export type { KeptItem } from './engine/erasure.js';
export type { Servers, WaitingFor, WaitingStep, WorkflowExplanation } from './engine/explain.js';
export type {
  AttributeRange,
  ListOptions,
  ListStepsOptions,
  RunsFilter,
  StepsFilter,
  WorkflowPage,
} from './engine/listing.js';
export type { DurableNode, NodeLoad, Served } from './engine/nodes.js';
export type {
  Attributes,
  AttributeValue,
  BlockReason,
  ParentClose,
  RunContext,
  RunMismatch,
  RunReason,
  RunStatus,
} from './engine/run.js';
export type { DeclaredSchedule, MissedPolicy, OverlapPolicy, ScheduleOptions } from './engine/schedules.js';
export { WorkflowSignal, type WorkflowSignalOptions } from './engine/signals.js';
export type { StartOptions } from './engine/starts.js';
export type { CallInSight, StepKind, StepStatus } from './engine/step.js';
export type { Story, StoryEntry, StoryOptions } from './engine/story.js';
export type { AnswerCursor, DeadWorker, TaskDispatcher } from './engine/tasks.js';
export type { ErasedCounts, ErasureReport } from './engine/upkeep.js';
export type {
  ErrorView,
  ListedStep,
  ListedStepsPage,
  RecomputedInputs,
  StatusOptions,
  WorkflowAttempt,
  WorkflowChildStatus,
  WorkflowLogLine,
  WorkflowRunStatus,
  WorkflowStepStatus,
} from './engine/views.js';
export {
  type FileSystem,
  type MemoryBackend,
  memoryBackend,
  type MemoryBackendOptions,
  nodeFileSystem,
} from './memory-backend.js';
export type {
  EffectOptions,
  OnOutboxMessageOptions,
  OutboxPublisherOptions,
  RemoteStepOptions,
  WorkerOptions,
  WorkflowOptions,
} from './nest/decorator-options.js';
export {
  type BlockedRun,
  Effect,
  type EndedRun,
  OnAbandoned,
  OnOperationComplete,
  OnOutboxMessage,
  OnRunBlocked,
  type OnRunBlockedOptions,
  OnRunEnded,
  type OnRunEndedOptions,
  OutboxPublisher,
  RemoteStep,
  Worker,
  Workflow,
} from './nest/decorators.js';
export {
  DurableHealth,
  DurableNodes,
  type HealthReport,
  type ListNodesOptions,
  type Liveness,
  type Readiness,
  type ReadinessOptions,
} from './nest/health.js';
export { type DurableEvent, type DurableEventName, DurableEvents } from './nest/log.js';
export { DurableMetrics, type MetricsOptions } from './nest/metrics.js';
export type {
  ConnectionOptions,
  DurableModuleAsyncOptions,
  DurableModuleOptions,
  DurableOptionsFactory,
  EngineModuleOptions,
  ErrorsModuleOptions,
  Transport,
  WorkerModuleOptions,
} from './nest/options.js';
export { DurableRuntime } from './nest/runtime.js';
export type { EffectsModuleOptions, OutboxModuleOptions, RetentionOptions } from './nest/slice-options.js';
export type {
  DeleteSignalsOptions,
  InLine,
  LimitInSight,
  LimitsPage,
  SignalsInSight,
  SignalsOptions,
  SignalsPage,
  SignalWaitInSight,
  SignalWaitsOptions,
  SignalWaitsPage,
} from './operate/limits-and-signals.js';
export type {
  AuditEventsPage,
  Count,
  DestinationInSight,
  HoldReceipt,
  LateSchedule,
  OnDestination,
  OperatorEffects,
  OperatorHolds,
  OperatorOutbox,
  OperatorSchedules,
  OperatorSteps,
  PageOptions,
} from './operate/operator-parts.js';
export type {
  BulkAction,
  BulkResult,
  ExportedRun,
  ExportOptions,
  OperatorBulkOptions,
  OperatorRuns,
  OperatorSignalOptions,
  ReplaySpecOptions,
  RunCounts,
  ShownRun,
} from './operate/operator-runs.js';
export { type KnownNames, Operator } from './operate/operator.js';
export type {
  BlockedKind,
  DueRuns,
  ListedTask,
  ListedTasksPage,
  ListTasksOptions,
  Overview,
  QueueInSight,
  QueuesOptions,
  QueuesPage,
  ServingWorker,
  VersionInUse,
  VersionsInUsePage,
  WaitingGroup,
} from './operate/overview.js';
export {
  dropStatements,
  type DurableRoles,
  type DurableRolesOptions,
  durableRolesSql,
  migrationStatements,
  type MigrationStatementsOptions,
  type OutboxStatementsOptions,
} from './operate/roles.js';
export type {
  ComparedRun,
  ComparedStep,
  ComparedTimes,
  Difference,
  RunComparison,
  RunInTree,
  RunTree,
  Sight,
  TreeOptions,
} from './operate/run-comparison.js';
export type {
  FleetSample,
  GraphLine,
  Graphs,
  PerMinute,
  Sample,
  SamplesOptions,
  SamplesPage,
} from './operate/samples.js';
export type { ChannelMessage, ChannelOptions, ChannelSnapshot, PacedResponse, ResetNote } from './outbox/channels.js';
export type { ChannelLag, DeadEvent, ShardsOfOwner, StandingChannel } from './outbox/dead-letters.js';
export type { DeliveryContext, OnPoison } from './outbox/destinations.js';
export type { EventCodec, NewOutboxEvent, OutboxEvent, OutboxOrdering } from './outbox/events.js';
export {
  type DeadLettersQuery,
  type LagQuery,
  type OperationOptions,
  type OperationsQuery,
  Outbox,
  OutboxOperations,
  type PublishOptions,
  type PurgeDeadLetters,
} from './outbox/outbox.js';
export {
  type AblyClient,
  ablyPublisher,
  type ClientProxyOptions,
  clientProxyPublisher,
  type EventEmittingClient,
  type EventPublisher,
  type SignedRequest,
  verifyWebhook,
  type WebhookOptions,
  webhookPublisher,
} from './outbox/publishers.js';
export { OutboxRelay } from './outbox/relay.js';
export {
  type OutboxRoles,
  type OutboxRolesOptions,
  outboxRolesSql,
  outboxSchemaSql,
  type OutboxScriptOptions,
} from './outbox/script.sql.js';
export type { KnownDestination } from './outbox/shards.js';
export { durableSkipTables } from './outbox/tables.sql.js';
export type { Dialect, JsonColumn } from './sql/dialects.js';
export { driverExecutor, type DriverExecutorOptions } from './sql/driver-executor.js';
export type {
  AmbientIsolation,
  AmbientTransactions,
  Apart,
  CommitWork,
  FindAmbient,
  JoinedTransaction,
  Listener,
  OrmTransactionOptions,
  OrmWork,
  OwnTables,
  SqlConnection,
  SqlExecutor,
  SqlResult,
  SqlTransaction,
  TableProtection,
} from './sql/executor.js';
export { mikroOrmExecutor } from './sql/mikro-orm.js';
export type { GoneSession, LeftOpen, LockHolder, LockListener, PoolWait, SessionEnds } from './sql/pools.js';
export type { Statement } from './sql/statement.js';
export { typeOrmExecutor } from './sql/typeorm.js';
export { type NatsClient, natsWake, type RedisClient, redisWake, type WakeBus } from './sql/wake.js';
export {
  type BroadcastOptions,
  DurablePubSub,
  DurableStore,
  type MessageListener,
  type StoreOptions,
  type StoreWriteOptions,
} from './store/store.js';
export {
  DbTransport,
  type DbTransportOptions,
  type DispatchRequest,
  type ResultListener,
  type StepResult,
} from './worker/db-transport.js';
export type { Claim, ClaimedTask, ClaimRequest, GroupQuota, TaskReport, TaskSource } from './worker/task-source.js';
export type {
  GroupInSight,
  GroupsQuery,
  TaskAttempt,
  StoredTask,
  StoredTasksPage,
  TaskPosition,
  TasksQuery,
  TaskStatus,
  UnservedTasks,
  WaitingCursor,
  WaitingPage,
  WaitingQuery,
  WaitingTasks,
} from './worker/waiting-tasks.js';
