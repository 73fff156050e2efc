/** Texts that need no quotes: neither a number nor a boolean, and nothing that parts one attribute from another. */
const PLAIN = /^(?!(?:true|false)$)[\p{L}_][\p{L}\d_.:@/ -]*$/u;

/** An attribute as a filter takes it: `customer=acme`, `order="4711"`, `paid=true`. */
export const attributeText = (name: string, value: unknown): string =>
  `${name}=${typeof value === 'string' && !PLAIN.test(value) ? JSON.stringify(value) : String(value)}`;
