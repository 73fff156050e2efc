import { type Answer, type Check, error, type Patient } from './check.js';
import { textOf } from './settings.js';
import { pendingSteps } from '../outbox/events/sql-outbox-schema.js';

/** Every part that the ordering of the app needs: also a trigger that somebody has turned off. */
async function lookAtPublished({ executor, outbox }: Patient): Promise<Answer> {
  if (!outbox) return [];
  const { ordering, tables } = outbox;
  const steps = await pendingSteps(executor, tables, { ordering });
  const missing = [...new Set(steps.map(({ what }) => what))];
  return missing.map((what) => {
    const mends = steps
      .filter((step) => step.what === what)
      .map(({ statement }) => textOf(statement, executor.dialect));
    return error(`The outbox lacks for the ordering '${ordering}': ${what}`, ...mends);
  });
}

export const publishedCheck: Check = {
  id: 'outbox',
  group: 'schema',
  meaning: 'The outbox has its tables, columns, indexes, functions and enabled triggers',
  looks: { postgres: lookAtPublished, mysql: lookAtPublished, mariadb: lookAtPublished },
};
