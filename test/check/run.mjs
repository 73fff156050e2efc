// @ts-check
// What must pass before a review, side by side.
//   npm run check
import { availableParallelism } from 'node:os';
import { sideBySide } from './side-by-side.mjs';

/** The longest first, so that none is left over for the end. */
const PARTS = ['check:format', 'lint', 'typecheck', 'check:architecture'];

const failed = await sideBySide(
  PARTS.map((name) => ({ name, command: `npm run --silent ${name}` })),
  {
    atOnce: availableParallelism(),
    tell: ({ name, failure, output, seconds }) => {
      console.log(`${failure ? '✗' : '✓'} ${name}, ${seconds.toFixed(1)} s${failure ? `: ${failure}` : ''}`);
      if (failure) console.log(`\n${output.trim()}\n`);
    },
  },
);
console.log(failed.length > 0 ? `check failed: ${failed.join(', ')}` : 'check passed');
process.exitCode = failed.length > 0 ? 1 : 0;
