import { InvalidArgumentError } from '../../errors/argument-errors.js';
import type { KnownOptions } from '../../options/known-options.js';
import type { WorkflowStepStatus } from './workflow-status.js';

/** A recorded position without its payloads, and with the number of its log lines. */
export interface WorkflowStepFacts extends Omit<WorkflowStepStatus, 'input' | 'output' | 'logs'> {
  /** Among the first 20,000 lines of the run. */
  logLines: number;
  /** The id of the run that it has started. */
  childId?: string;
}

export interface StepsOptions {
  /** The position after which the page begins: the `cursor` of the page before. Default: the first position. */
  after?: number;
  /**
   * The `mark` of the last answer: then only what may have changed since is returned. First the positions after those that
   * were known; once these are all, the steps that have got an outcome, and of those without one the 100 that were asked
   * last. After an operator has acted on the run, read it from the beginning. Not together with `after`.
   */
  mark?: string;
  /** Steps per page, from 1 to 1,000. Default 200. */
  limit?: number;
}

export const STEPS_OPTIONS = { after: true, mark: true, limit: true } satisfies KnownOptions<StepsOptions>;

export interface WorkflowStepPage {
  workflow: string;
  /** In the order of their positions; with `mark`, those that have changed come after those that are new. */
  steps: WorkflowStepFacts[];
  /** There are more. Pass it as `after`; or ask with the `mark`, which goes on there as well. */
  cursor?: number;
  /** Pass it, to get what has changed. */
  mark: string;
  /**
   * The run has begun another life (`continueAsNew`, `restart`), or lost outcomes (`retry`), so what `after` or `mark`
   * belongs to is gone. These are the first steps of what it has now: forget the others.
   */
  anew?: true;
}

/** What was known when a page was read. */
export interface StepsMark {
  /** The first position of the run's life. */
  firstSeq: number;
  /** The last position. */
  seq: number;
  /** The last outcome. */
  settled: number;
}

export const markText = ({ firstSeq, settled, seq }: StepsMark): string =>
  Buffer.from(JSON.stringify([firstSeq, settled, seq])).toString('base64url');

/** @throws InvalidArgumentError when the text is not from {@link markText}. */
export function parseMark(mark: string): StepsMark {
  try {
    const parts = JSON.parse(Buffer.from(mark, 'base64url').toString()) as unknown[];
    const [firstSeq, settled, seq] = parts as [number, number, number];
    if (parts.length === 3 && parts.every((part) => Number.isInteger(part) && Math.abs(part as number) <= 2 ** 31))
      return { firstSeq, settled, seq };
  } catch {
    // The error is thrown below.
  }
  throw new InvalidArgumentError('mark', mark, 'the mark of an answer before');
}
