import { boundedText } from '../../protocol/bounded-text.js';
import { mismatchOf } from '../model/mismatch.js';
import type { BlockReason, ClaimedRun, RunTransition } from '../model/run.js';

/** How a run is left that stands still for a reason: nobody takes it but its deadline, or code that fits. */
export function standstill(
  { closing, deadline }: Pick<ClaimedRun, 'closing' | 'deadline'>,
  settled: number,
  reason: BlockReason,
  error: unknown,
): RunTransition {
  const detail = boundedText(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  const wakeAt = closing ? null : deadline;
  return { status: 'suspended', wakeAt, settled, reason, detail, ...mismatchOf(error) };
}
