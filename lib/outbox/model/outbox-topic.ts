/** The topic of notifications that events were written. A payload is a JSON array of channels. */
export const OUTBOX_TOPIC = 'outbox';
