import type { ModulesContainer } from '@nestjs/core';
import { ConfigurationError } from '../errors/setup-errors.js';
import { DURABLE_IMPORTED_AT } from './durable.tokens.js';

/** The line of the app's code that calls the function of the module which asks, for error messages. */
export function importedAt(): string {
  const trace: { stack?: string } = {};
  Error.captureStackTrace(trace, importedAt);
  const [, , frame = ''] = (trace.stack ?? '').split('\n');
  return frame.trim().replace(/^at /, '') || 'an unknown line';
}

/**
 * Two of them would execute every workflow and every step of the app twice, each with its own options.
 *
 * @throws ConfigurationError
 */
export function checkImportedOnce(modules: ModulesContainer): void {
  const locations = [...modules.values()].flatMap(({ providers }) => {
    const found = providers.get(DURABLE_IMPORTED_AT);
    return found ? [String(found.instance)] : [];
  });
  if (locations.length < 2) return;
  throw new ConfigurationError(
    `DurableModule is imported ${locations.length} times, by ${locations.join(' and ')}: import it once, in the root module. ` +
      'It is global, so all other modules can inject its providers without importing it',
  );
}
