import { createInterface } from 'node:readline/promises';
import type { CliEnvironment } from './cli-environment.js';
import { InvalidArgumentError } from '../../errors/argument-errors.js';

interface Asked {
  /** `--yes`. */
  yes?: boolean;
  /** What would be done, such as `Delete 3 runs`. */
  what: string;
}

/** Asks before something is destroyed. @throws InvalidArgumentError if nobody can be asked, or the answer is no */
export async function consent(
  { yes = false, what }: Asked,
  { asks = false, input, err, interrupted }: CliEnvironment,
): Promise<void> {
  if (yes) return;
  if (!asks || !input?.readable)
    throw new InvalidArgumentError('--yes', undefined, 'it', `Nobody can be asked whether to ${what}: pass --yes`);
  err(`${what[0]!.toUpperCase()}${what.slice(1)}? Type yes`);
  const lines = createInterface({ input });
  // A question is not answered by the end of the input.
  const ended = new Promise<string>((resolve) => lines.once('close', () => setImmediate(resolve, '')));
  const asked = lines.question('', { signal: interrupted });
  const answer = await Promise.race([asked, ended]).finally(() => lines.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw new InvalidArgumentError('The answer', answer, 'yes; nothing was done');
}
