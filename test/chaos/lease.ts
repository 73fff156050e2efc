/** How long the dead are waited for: short, so that a run of the suite sees many of them. */
export const LEASE = '3s';
export const LEASE_MS = 3_000;
