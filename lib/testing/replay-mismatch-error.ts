import type { RecordedHistory } from '../engine/insight/recorded-history.js';
import type { ReplayCheck } from '../engine/play/replay-check.js';

type Mismatch = Extract<ReplayCheck, { verdict: 'blocks' }>;

/** A recorded run would be blocked by this app's code; the message says where they part. */
export class ReplayMismatchError extends Error {
  override readonly name = 'ReplayMismatchError';

  constructor(
    { id, workflow, version }: Pick<RecordedHistory['run'], 'id' | 'workflow' | 'version'>,
    readonly check: Mismatch,
  ) {
    super(`Run "${id}" of "${workflow}" (version ${version}) does not fit the code: ${whyOf(check)}`);
  }
}

const whyOf = ({ position, recorded, asked, detail }: Mismatch): string =>
  position === null
    ? detail
    : `at position ${position} ${recorded} is recorded, and the code asks for ${asked}. Guard the change with ` +
      'ctx.patched, or give the workflow a new version';
