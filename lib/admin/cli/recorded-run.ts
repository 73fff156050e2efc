import { writeFileSync } from 'node:fs';
import type { Call } from './operator-command.js';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import type { ExportOptions } from '../../operator/run-export.js';

export interface RecordedRunFlags extends Omit<ExportOptions, 'actor'> {
  out?: string;
}

/** Prints the recorded history of a run, or a test that replays it. @throws WorkflowNotFoundError */
export async function recordedRun({ operator, given: [id = ''], flags, print }: Call<RecordedRunFlags>): Promise<void> {
  const { as = 'json', out, module, export: exported, runner } = flags;
  if (as === 'test' && module === undefined)
    throw new InvalidArgumentError(
      '--module',
      module,
      'the module of the app as the test imports it, such as --module ../src/app.module',
    );
  const { text } = await operator.runs.export(id, {
    as,
    ...(module !== undefined && { module }),
    ...(exported !== undefined && { export: exported }),
    ...(runner !== undefined && { runner }),
  });
  if (out === undefined) return print.out(text.trimEnd());
  writeFileSync(out, text);
  print.words(`Wrote run "${id}" to ${out}`);
}
