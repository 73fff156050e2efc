export { type Act, type ActedBy, type ActKind, type ByOperator } from './acts/act.js';
export { type ActPage, type ListActsOptions, OperatorActs } from './acts/operator-acts.js';
export {
  dropStatements,
  type MigrationStatementsOptions,
  migrationStatements,
  type OutboxStatementsOptions,
} from './admin/migration-statements.js';
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
export {
  type BlockedRun,
  type EndedRun,
  OnRunBlocked,
  type OnRunBlockedOptions,
  OnRunEnded,
  type OnRunEndedOptions,
} from './decorators/run-hook.decorators.js';
export { OnOutboxMessage, OutboxPublisher } from './decorators/outbox.decorators.js';
export type {
  ConnectionOptions,
  DurableModuleAsyncOptions,
  DurableModuleOptions,
  DurableOptionsFactory,
  EngineModuleOptions,
  ErrorsModuleOptions,
  Transport,
  WorkerModuleOptions,
} from './module/durable-options.interface.js';
export { DurableModule } from './durable.module.js';
export { type DurableEvent, type DurableEventName, DurableEvents } from './module/durable-events.js';
export { type CheckGroup, type Finding, type FindingLevel } from './doctor/check.js';
export { type DoctorLimits } from './doctor/doctor-limits.js';
export { type CheckReport, type DoctorReport } from './doctor/doctor-report.js';
export { type DoctorOptions, DurableDoctor, type ExamineOptions, type KnownCheck } from './doctor/durable-doctor.js';
export { DurableHealth, type ReadinessOptions } from './module/durable-health.js';
export { DurableMetrics, type MetricsOptions } from './module/durable-metrics.js';
export type { HealthReport, Liveness, Readiness } from './module/durable-health.js';
export { DurableNodes, type ListNodesOptions } from './module/durable-nodes.js';
export { DurableRuntime } from './module/durable-runtime.js';
export { type AbandonedEffect } from './effects/effect-listeners.js';
export type { AuditEvent, AuditEventType, AuditSink, RecordedAuditEvent } from './effects/audit-log.js';
export type { EffectCall, EffectEntry, EffectGroup, EffectOperation, EffectStatus } from './effects/effect-entry.js';
export { type EffectContext } from './effects/effect-handlers.js';
export { type UnclaimedEffects } from './effects/effect-storage.js';
export { alreadyAbsent, type MarkedOutcome, scheduleUntil } from './effects/effect-outcome.js';
export {
  Effects,
  type EnqueueOptions,
  type ListEffects,
  type PurgeEffects,
  type PurgeEndedEffects,
} from './effects/effects.js';
export { EffectRunner } from './effects/runner/effect-runner.js';
export { type EffectsModuleOptions } from './module/effects-options.js';
export * from './errors/public.js';
export * from './engine/public.js';
export { memoryBackend, type MemoryBackend, type MemoryBackendOptions } from './memory-backend/memory-backend.js';
export { type Codec, type CodecContext, jsonCodec } from './protocol/codec.js';
export { type NamedKey, type Sealed, sealedCodec, type SealedCodec } from './sealing/sealed-codec.js';
export { type SealedCodecOptions, type SealingKey, type SubjectKeys } from './sealing/sealed-codec.js';
export { type RedactableError } from './protocol/error-rules.js';
export { UnreadablePayload } from './protocol/unreadable-payload.js';
export { groupOf, type StepAnswer, stepIdOf, type StepTask } from './protocol/step.js';
export { type StandardSchema } from './protocol/standard-schema.js';
export { type NotStored, type Stored } from './protocol/stored.js';
export { type Transaction } from './protocol/transaction.js';
export { type Dialect, type JsonColumn } from './sql/dialects/dialect.js';
export { driverExecutor, type DriverExecutorOptions } from './sql/driver-executor.js';
export { mikroOrmExecutor } from './sql/mikro-orm-executor.js';
export { type PoolWait } from './sql/pool-waits.js';
export {
  type CommitWork,
  type JoinedTransaction,
  type LeftOpen,
  type Listener,
  type OrmTransactionOptions,
  type OwnTables,
  type SqlConnection,
  type SqlExecutor,
  type SqlResult,
  type SqlTransaction,
  type TableProtection,
} from './sql/sql-executor.js';
export { type Statement } from './sql/dialects/statement.js';
export { type OutboxModuleOptions } from './module/outbox-options.js';
export { durableRolesSql, type DurableRolesOptions } from './admin/durable-roles.js';
export type { DurableRoles } from './admin/role-rights.js';
export * from './outbox/public.js';
export { type RetentionOptions } from './module/retention-options.js';
export { Operator } from './operator/operator.js';
export type {
  BulkAction,
  BulkResult,
  OperatorBulkOptions,
  OperatorRuns,
  OperatorSignalOptions,
  RunCounts,
  ShownRun,
} from './operator/operator-runs.js';
export type { ReplaySpecOptions } from './operator/replay-spec.js';
export type { ExportedRun, ExportOptions } from './operator/run-export.js';
export type { ComparedRun, ComparedStep, ComparedTimes, RunComparison, Sight } from './operator/run-comparison.js';
export type { Difference } from './operator/differences.js';
export type { RunInTree, RunTree, TreeOptions } from './operator/run-tree.js';
export type { OperatorSteps } from './operator/operator-steps.js';
export type { KnownNames } from './operator/known-names.js';
export type { LateSchedule, OperatorSchedules } from './operator/operator-schedules.js';
export type { DestinationInSight, OnDestination, OperatorOutbox } from './operator/operator-outbox.js';
export type { OperatorEffects } from './operator/operator-effects.js';
export type { AuditEventsPage } from './operator/operator-effects.js';
export type { HoldReceipt, OperatorHolds } from './operator/operator-holds.js';
export type { BlockedKind, Overview } from './operator/overview.js';
export type { DeleteSignalsOptions } from './operator/signal-deletion.js';
export type { DueRuns, WaitingGroup } from './operator/waiting-work.js';
export type { PerMinute } from './operator/group-flow.js';
export type { PageOptions, QueueInSight, QueuesOptions, QueuesPage, ServingWorker } from './operator/queues.js';
export type {
  InLine,
  LimitInSight,
  LimitsPage,
  SignalsInSight,
  SignalsOptions,
  SignalsPage,
} from './operator/limits-and-signals.js';
export type { SignalWaitInSight, SignalWaitsOptions, SignalWaitsPage } from './operator/signal-waits.js';
export type { Count } from './operator/questions.js';
export type { Hold, HoldKind } from './holds/hold.js';
export type { GroupInSight, GroupsQuery } from './worker/task-source.js';
export type { CountedEffects } from './effects/effect-storage.js';
export type { GraphLine, Graphs } from './operator/graphs.js';
export type { VersionInUse, VersionsInUsePage } from './operator/versions.js';
export type { FleetSample, Sample, SamplesOptions, SamplesPage } from './operator/samples.js';
export { typeOrmExecutor } from './sql/typeorm-executor.js';
export { type BackoffOptions } from './time/backoff.js';
export { type Clock, systemClock } from './time/clock.js';
export { type Duration } from './time/duration.js';
export { type StepContext, type StepLog } from './protocol/step-context.js';
export {
  type Claim,
  type ClaimedTask,
  type ClaimRequest,
  type GroupQuota,
  type TaskReport,
  type TaskSource,
} from './worker/task-source.js';
export {
  type TaskAttempt,
  type UnservedTasks,
  type WaitingCursor,
  type WaitingPage,
  type WaitingQuery,
  type WaitingTasks,
} from './worker/waiting-tasks.js';
