import type { RecordedHistory } from '../engine/insight/recorded-history.js';

export interface ReplaySpecOptions {
  /** As the test imports it. */
  module: string;
  /** The name of the exported class. */
  export: string;
  runner: 'jest' | 'vitest' | 'node';
}

/** Jest's functions are globals. */
const RUNNERS = {
  jest: '',
  vitest: `import { test } from 'vitest';\n`,
  node: `import { test } from 'node:test';\n`,
};

/**
 * A test as one file, in JavaScript that is TypeScript, too. The history is a text, because its type would be checked,
 * and because loaders differ in how they import JSON.
 */
export function replaySpec(history: RecordedHistory, { module, export: exported, runner }: ReplaySpecOptions): string {
  const { id, workflow, version } = history.run;
  const title = `run "${id}" of "${workflow}" (version ${version}) fits the code`;
  const imported = exported === 'default' ? 'AppModule' : exported;
  return `/* eslint-disable */
// A recorded run. This test replays it: nothing is written, and no step runs. It fails if today's code would ask for
// other steps, or for steps in another order, than those that are recorded. If the app's module connects to a database,
// replace it by the parts that are needed: createTestingDurable({ workflows: [...], providers: [...] }).
${RUNNERS[runner]}import { createTestingDurable } from 'nest-durable/testing';
import ${exported === 'default' ? imported : `{ ${imported} }`} from ${JSON.stringify(module)};

const history = JSON.parse(String.raw\`
${rawText(history)}
\`);

test(${JSON.stringify(title)}, async () => {
  const durable = await createTestingDurable(${imported});
  try {
    await durable.assertFits(history);
  } finally {
    await durable.close();
  }
});
`;
}

/** As JSON, with a line for each step: a history may have ten thousand, and their fields do not need lines of their own. */
export function historyText({ run, steps }: RecordedHistory): string {
  const lines = steps.map((step) => `    ${JSON.stringify(step)}`);
  return `{\n  "run": ${JSON.stringify(run)},\n  "steps": [${lines.length > 0 ? `\n${lines.join(',\n')}\n  ` : ''}]\n}`;
}

/** JSON without what would end a raw template, or begin an expression in it. */
const rawText = (history: RecordedHistory): string =>
  historyText(history).replaceAll('`', '\\u0060').replaceAll('${', '\\u0024{');
