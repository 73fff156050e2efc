import type { StepRecord } from '../model/step-record.js';

/**
 * Where a history holds how many lines its code has logged: behind all positions that code can ask for, and behind all
 * that undo one.
 */
export const LINE_COUNT_SEQ = -(2 ** 31);

/** Whether it is one of the run's own positions, and not ours. */
export const isPosition = ({ seq }: Pick<StepRecord, 'seq'>): boolean => seq !== LINE_COUNT_SEQ;
