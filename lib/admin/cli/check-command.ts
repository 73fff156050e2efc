import { InvalidArgumentError } from '../../errors.js';
import { sleep } from '../../time/sleep.js';
import { type CheckedApp, setCheckHook } from '../check-hook.js';
import { loadApp } from './load-app.js';
import { ObstacleReport } from './obstacle-report.js';

export interface CheckOptions {
  app: string;
  export?: string;
  namespace?: string;
  limit?: string;
}

/** An app that cannot be closed, as where its database was never reached, is left behind with the process. */
const CLOSE_MS = 10_000;

type Print = (line: string) => void;

/** Answers 1 when a run would stand still with the app as it is built. Writes nothing. */
export async function checkCommand(options: CheckOptions, print: Print): Promise<number> {
  const limit = limitOf(options.limit);
  let checked: CheckedApp | undefined;
  setCheckHook({ found: (app) => void (checked ??= app) });
  // For whatever of the app should not happen now.
  process.env['NEST_DURABLE_CHECK'] = '1';
  const app = await loadApp(options.app, options.export);
  try {
    if (!checked) throw new InvalidArgumentError('The app', options.app, 'a module that imports DurableModule');
    const { namespace = checked.namespace } = options;
    const report = new ObstacleReport(namespace);
    const found = checked.check({ namespace, ...(limit !== undefined && { limit }) });
    for await (const obstacle of found) report.add(obstacle);
    for (const line of report.lines()) print(line);
    return report.fits ? 0 : 1;
  } finally {
    await Promise.race([app.close(), sleep(CLOSE_MS)]);
  }
}

function limitOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const limit = Number(text);
  if (Number.isSafeInteger(limit) && limit > 0) return limit;
  throw new InvalidArgumentError('--limit', text, 'a whole number of runs, from 1');
}
