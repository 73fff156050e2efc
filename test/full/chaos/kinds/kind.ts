import { isDeepStrictEqual } from 'node:util';
import type { Type } from '@nestjs/common';
import type { StartOptions } from 'nest-durable';
import type { Command } from '../app/commands.js';
import type { Begin, Called } from '../app/ledger.js';
import type { Random } from '../random.js';

/** One kind of workflow: its code, what becomes of a run from the outside, and what must hold of it at its end. */
export interface Kind {
  /** The workflow's name. */
  name: string;
  providers: Type<unknown>[];
  /** How many of all runs are of this kind, against the others. Default 1. */
  share?: number;
  /** Follows from the seed alone. */
  plan(random: Random, id: string): Plan;
  /** What is wrong with one run that has ended, in sentences. */
  judge(story: Story): string[];
  /** What is wrong with all runs of this kind together. */
  judgeAll?(stories: readonly Story[]): string[];
}

export interface Plan {
  input: unknown;
  options?: Omit<StartOptions, 'id' | 'transaction'>;
  /** Started in a transaction of the app's, together with an order. */
  order?: { rollBack: boolean };
  /**
   * Its run may have another input by now. A start that is asked again, since its confirmation was lost, is refused then:
   * the run is there.
   */
  inputMoves?: true;
  /** Before the start. */
  before?: Command[];
  /** After the start was confirmed, one after the other. */
  deeds?: Deed[];
}

export interface Deed {
  afterMs: number;
  command: Command;
}

/** All that is known of one run at the end: what was asked, what the database says, and what the ledger says. */
export interface Story {
  id: string;
  plan: Plan;
  /** What the start was answered. */
  answer: unknown;
  /** What the deeds were answered. */
  answers: unknown[];
  run: RunRow | undefined;
  steps: StepRow[];
  bodies: Begin[];
  /** By execution: when it ended. */
  ended: ReadonlyMap<string, number>;
  rows: AppRow[];
  calls: Called[];
  /** How often its operation completed. */
  completions: number;
  hasOrder: boolean;
}

export interface RunRow {
  id: string;
  workflow: string;
  status: string;
  output: unknown;
  error: { message?: string; code?: string } | null;
  reason: string | null;
  createdAt: number;
  finishedAt: number | null;
}

export interface StepRow {
  seq: number;
  name: string;
  kind: string;
  status: string;
  settled: number | null;
  output: unknown;
}

export interface AppRow {
  position: number;
  label: string;
  exec: string;
}

/** Steps that no fault may bring to the end of their attempts. */
export const PATIENT = { attempts: 100, backoff: { delay: '100ms', maxDelay: '500ms' } } as const;

/** Wrong unless the run has completed, with this output where one is given. */
export function completed({ run }: Story, output?: unknown): string[] {
  if (run?.status !== 'completed')
    return [`should have completed, and is ${run?.status ?? 'not there'}: ${run?.error?.message ?? run?.reason ?? ''}`];
  if (output === undefined || isDeepStrictEqual(run.output, output)) return [];
  return [`completed with ${JSON.stringify(run.output)} in place of ${JSON.stringify(output)}`];
}

/** The recorded outputs of completed steps, in the order of their positions. */
export const outputsOf = ({ steps }: Story, kinds: readonly string[] = ['step', 'transaction', 'remote']): unknown[] =>
  steps
    .filter(({ seq, kind, status }) => seq >= 0 && kinds.includes(kind) && status === 'completed')
    .sort((a, b) => a.seq - b.seq)
    .map(({ output }) => output);

/** Labels of executions that undo something, in the order in which each began first. */
export const undone = ({ bodies }: Story): string[] => [
  ...new Set(bodies.map(({ label }) => label).filter((label) => label.startsWith('undo '))),
];
