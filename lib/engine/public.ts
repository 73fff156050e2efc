export { Bulk, type BulkBatch, type BulkTotal } from './client/bulk.js';
export type { BulkFilter, BulkOptions } from './client/client-bulk.js';
export { type CompletionOptions, type StepFailure } from './client/client-completions.js';
export { type ControlOptions, type PurgeOptions, type PurgeSignalsOptions } from './client/client-control.js';
export type { EditOptions, StepResolution } from './client/client-edits.js';
export { type EraseOptions, type ErasureTarget, type RunsTarget } from './client/client-erasure.js';
export type { HoldOptions, HoldTarget } from './client/client-holds.js';
export { type ForkOptions, type RestartOptions } from './client/client-lives.js';
export { type SignalOptions, type SignalReceipt } from './client/client-signals.js';
export { type StoryTarget } from './client/client-story.js';
export { WorkflowClient } from './client/workflow-client.js';
export { type ResultOptions, type WorkflowHandle } from './client/workflow-handle.js';
export { type ErasedCounts, type ErasureReport } from './erasure/erasure-report.js';
export { type Servers } from './insight/explain-servers.js';
export { type WaitingFor, type WaitingStep } from './insight/explain-waits.js';
export { type WorkflowExplanation } from './insight/explain.js';
export { type Story, type StoryEntry, type StoryOptions } from './insight/story-entry.js';
export {
  type ErrorView,
  type RecomputedInputs,
  type StatusOptions,
  type WorkflowAttempt,
  type WorkflowChildStatus,
  type WorkflowLogLine,
  type WorkflowRunStatus,
  type WorkflowStepStatus,
} from './insight/workflow-status.js';
export type { AttributeRange, ListOptions, RunsFilter, WorkflowPage } from './insight/list-options.js';
export { WorkflowSignal, type WorkflowSignalOptions } from './model/mailbox.js';
export { type RunMismatch } from './model/mismatch.js';
export { type Served } from './model/node-record.js';
export type { NodeLoad } from './model/node-record.js';
export { type KeptItem } from './model/outgoing-erasure.js';
export { type CallInSight } from './model/outgoing.js';
export { type RunContext } from './model/run-context.js';
export {
  type Attributes,
  type AttributeValue,
  type BlockReason,
  type ParentClose,
  type RunReason,
  type RunStatus,
} from './model/run.js';
export {
  type DeclaredSchedule,
  type MissedPolicy,
  type OverlapPolicy,
  type ScheduleOptions,
} from './model/schedule-spec.js';
export { type StartOptions } from './model/start-options.js';
export {
  type Compensate,
  type LocalStepContext,
  type LocalStepOptions,
  type OrmTransaction,
  type RemoteOptions,
  type OnExhausted,
  type Retry,
  type RetryOptions,
  type RunLog,
  type StepOptions,
  type TransactionOptions,
} from './model/step-options.js';
export { type StepKind, type StepStatus } from './model/step-record.js';
export { type AnswerCursor, type TaskDispatcher } from './model/task-dispatcher.js';
export {
  type ChildHandle,
  type ChildOptions,
  type ClassOf,
  type FanIn,
  type FanInMode,
  type FanOutOptions,
  type FirstOf,
  type RemoteClient,
  type SignalWaitOptions,
  type Waitable,
  type WorkflowClass,
  type WorkflowContext,
  type WorkflowRunner,
} from './model/workflow-context.js';
export { type InputOf, type OutputOf, type RemoteOutput, type WorkflowArguments } from './model/workflow-target.js';
export type { DurableNode } from './nodes/node-views.js';
export {
  type ListSchedulesOptions,
  type NewSchedule,
  type PlanChanges,
  type ScheduleChanges,
  type ScheduleWriteOptions,
  type WorkflowSchedule,
} from './schedules/schedule-views.js';
export { WorkflowSchedules } from './schedules/workflow-schedules.js';
