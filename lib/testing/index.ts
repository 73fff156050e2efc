export { InMemoryRunStore } from '../engine/commits/in-memory-run-store.js';
export { InMemoryTransport } from '../transport/in-memory-transport.js';
export { ManualClock } from '../time/clock.js';
export {
  CrashPointError,
  type Exploration,
  type ExploredAct,
  type ExploreOptions,
  type StartRun,
} from './crash-explorer.js';
export { ManualWorkflowClock } from './manual-workflow-clock.js';
export { type CrashPoint } from './mortal-process.js';
export { ReplayMismatchError } from './replay-mismatch-error.js';
export { type RecordedHistory } from '../engine/insight/recorded-history.js';
export { type StepCall, type StepSpy } from './step-spies.js';
export { createTestingDurable, type TestedParts, TestingDurable, type TestingOptions } from './testing-durable.js';
export { type ReplayCheck } from '../engine/play/replay-check.js';
