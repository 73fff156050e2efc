import { DurableError } from '../../errors/durable-error.js';
import { EXIT } from './cli-environment.js';
import type { Call } from './operator-command.js';

/** Codes of errors of things that are not there. */
const MISSING = ['WORKFLOW_NOT_FOUND', 'STEP_NOT_FOUND', 'SCHEDULE_NOT_FOUND', 'NODE_NOT_FOUND'];

export const tellsAbsence = (error: unknown): error is DurableError =>
  error instanceof DurableError && MISSING.includes(error.code);

interface Refused {
  id: string;
  why: string;
}

/** What a change of several things did. */
interface Gathered {
  done: string[];
  refused: Refused[];
}

interface Each {
  /** What is said of a thing that was changed. */
  told: (id: string) => string;
  /** Changes one. Returns why nothing was done. */
  change: (id: string) => Promise<string | void>;
}

/**
 * Changes one thing after the other, and then prints what was done, also when it cannot go on. Returns 4 if some are not
 * there, 1 if there was nothing to do for some.
 */
export async function eachId(call: Call<unknown>, { told, change }: Each): Promise<number> {
  const ids = await call.ids();
  const { print, environment } = call;
  const gathered: Gathered = { done: [], refused: [] };
  let code: number = EXIT.done;
  call.finishes();
  try {
    for (const [at, id] of ids.entries()) {
      if (environment.interrupted?.aborted) return interrupted(call, ids.slice(at));
      const [why, worst] = await outcomeOf(() => change(id));
      if (why === undefined) gathered.done.push(id);
      else gathered.refused.push({ id, why });
      code = Math.max(code, worst);
    }
    return code;
  } finally {
    for (const { id, why } of gathered.refused) print.words(`${id}: ${why}`);
    print.gathered(gathered, gathered.done, gathered.done.map(told));
  }
}

async function outcomeOf(change: () => Promise<string | void>): Promise<[why: string | undefined, code: number]> {
  try {
    const why = (await change()) ?? undefined;
    return [why, why === undefined ? EXIT.done : EXIT.behind];
  } catch (error) {
    if (tellsAbsence(error)) return [error.message, EXIT.missing];
    throw error;
  }
}

function interrupted({ print }: Call<unknown>, [first = '', ...more]: readonly string[]): number {
  print.words(`Interrupted: nothing was done from "${first}" on, ${more.length + 1} in all`);
  return EXIT.interrupted;
}
