/** What of a suite runs where, by the folder that it is in. */
type Tier = 'unit' | 'contract' | 'behaviour' | 'apps' | 'full';

/** Everything on every pair of ORM and database, and in full size: `npm run test:full`. */
export const isFull = (): boolean => process.env['DURABLE_TEST_FULL'] !== undefined;

/** The path of the running suite from the root, as its source is called. */
export const suite = (): string =>
  (expect.getState().testPath ?? '').replace(/^.*\/(?=test\/)/, '').replace(/\.js$/, '.ts');

export function tier(): Tier {
  if (isFull()) return 'full';
  const [, folder] = /^test\/(unit|contract|behaviour|apps|full)\//.exec(suite()) ?? [];
  return (folder ?? 'full') as Tier;
}

/**
 * How much a test does that shows by quantity what no single case can: all of it with `npm run test:full`, else a part
 * that takes seconds and still finds what does not scale.
 */
export const sized = (full: number, part = full / 10): number => (isFull() ? full : part);
