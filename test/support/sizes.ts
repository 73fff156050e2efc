/**
 * How much a test does that shows by quantity what no single case can: all of it with `npm run test:full`, else a part
 * that takes seconds and still finds what does not scale.
 */
export const sized = (full: number, part = full / 10): number => (process.env['DURABLE_TEST_FULL'] ? full : part);
