import type { Rule } from './code.js';
import { awaitSteps, deterministicRun, passTransaction } from './rules.js';

/** The rules by their names, without a prefix. */
export const rules = {
  'deterministic-run': deterministicRun,
  'await-steps': awaitSteps,
  'pass-transaction': passTransaction,
} satisfies Record<string, Rule>;

/** The plugin, for a configuration that chooses rules of its own. */
export const plugin = { meta: { name: 'nest-durable' }, rules };

/**
 * All rules, as errors. Needs a parser for TypeScript, and no type information.
 *
 * @example
 * // eslint.config.mjs
 * import { recommended } from 'nest-durable/eslint';
 *
 * export default [...tseslint.configs.recommended, recommended];
 */
export const recommended = {
  name: 'nest-durable/recommended',
  plugins: { 'nest-durable': plugin },
  rules: {
    'nest-durable/deterministic-run': 'error',
    'nest-durable/await-steps': 'error',
    'nest-durable/pass-transaction': 'error',
  },
} as const;
