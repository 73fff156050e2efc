/** How long the dead are waited for: short, so that a run of the suite sees many of them. */
export const LEASE = '3s';
export const LEASE_MS = 3_000;

/**
 * Longer: an event whose relay loses its part of the outbox three times in a row counts as one that kills, and stands
 * still for good. A busy machine must not come to that.
 */
export const OUTBOX_LEASES = { leaseDuration: '12s', heartbeatTimeout: '6s', publishTimeout: '4s' } as const;
