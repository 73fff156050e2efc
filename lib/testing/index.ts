export { ManualClock } from '../core/time.js';
export type { RecordedHistory, ReplayCheck } from '../engine/play/replay.js';
export { InMemoryRunStore } from '../engine/runs.memory.js';
export { type DeadTask, InMemoryTransport } from '../worker/transport.memory.js';
export {
  type CrashPoint,
  CrashPointError,
  type Exploration,
  type ExploredAct,
  type ExploreOptions,
  type StartRun,
} from './crash-explorer.js';
export {
  createTestingDurable,
  ReplayMismatchError,
  type TestedParts,
  TestingDurable,
  type TestingOptions,
} from './testing-durable.js';
export { ManualWorkflowClock, RunWaitsError, type StepCall, type StepSpy } from './world.js';
