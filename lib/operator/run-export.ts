import type { RecordedHistory } from '../engine/insight/recorded-history.js';
import { InvalidArgumentError } from '../errors/argument-errors.js';
import { historyText, type ReplaySpecOptions, replaySpec } from './replay-spec.js';

export interface ExportOptions extends Partial<ReplaySpecOptions> {
  /** `'json'`: the recorded history. `'test'`: a test that replays it. Default `'json'`. */
  as?: 'json' | 'test';
  /** Whom the act log names. */
  actor?: string;
}

export const EXPORT_OPTIONS = { as: true, actor: true, module: true, export: true, runner: true } as const;

/** A run as a file. */
export interface ExportedRun {
  /** A name for the file, such as `order-7.spec.ts`. */
  name: string;
  text: string;
}

const RUNNERS = ['jest', 'vitest', 'node'] as const;

/** @throws InvalidArgumentError */
export function exported(history: RecordedHistory, options: ExportOptions): ExportedRun {
  const { as = 'json', module = '../src/app.module', export: name = 'AppModule', runner = 'jest' } = options;
  const file = history.run.id.replaceAll(/[^\w.-]+/g, '-').replace(/^[.-]+/, '') || 'run';
  if (as === 'json') return { name: `${file}.json`, text: `${historyText(history)}\n` };
  if (as !== 'test') throw new InvalidArgumentError('as', as, "'json' or 'test'");
  if (!RUNNERS.includes(runner)) throw new InvalidArgumentError('runner', runner, `one of ${RUNNERS.join(', ')}`);
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) throw new InvalidArgumentError('export', name, 'the name of an exported class');
  return { name: `${file}.spec.ts`, text: replaySpec(history, { module, export: name, runner }) };
}
