/** Injection tokens without a class. Strings, like the metadata keys. */
export const DURABLE_OPTIONS = 'durable:options';
export const DURABLE_SETTINGS = 'durable:settings';
export const DURABLE_EXECUTOR = 'durable:executor';
export const DURABLE_STORAGE = 'durable:storage';
/** Where the app imports the module: a line of its code. */
export const DURABLE_IMPORTED_AT = 'durable:imported-at';
export const TRACE_API = 'durable:trace-api';
