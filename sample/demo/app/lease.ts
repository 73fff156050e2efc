/**
 * How long the dead are waited for. An app keeps the defaults, 10 s for engines and 30 s for tasks; the demo would only
 * show more waiting.
 */
export const LEASE = '3s';
