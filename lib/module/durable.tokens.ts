/** Injection tokens of what has no class of its own. Plain texts, as metadata keys are. */
export const DURABLE_OPTIONS = 'durable:options';
export const DURABLE_SETTINGS = 'durable:settings';
export const DURABLE_EXECUTOR = 'durable:executor';
export const DURABLE_STORAGE = 'durable:storage';
