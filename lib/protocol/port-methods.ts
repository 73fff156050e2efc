/**
 * What a method of a port does to what is stored: nothing (`reads`); nothing, since it tells or hears of what is (`tells`);
 * it says who lives and until when, which no process outlives (`lives`); it changes only what it finds and returns, an array
 * or a count (`finds`); or it changes anything else (`writes`).
 */
export type MethodEffect = 'reads' | 'tells' | 'lives' | 'finds' | 'writes';

type MethodOf<Port> = {
  [Name in keyof Port]-?: NonNullable<Port[Name]> extends (...args: never[]) => unknown ? Name : never;
}[keyof Port];

/** Of each method of a port: a port that gets another method does not compile until it is said here too. */
export type PortMethods<Port> = { readonly [Name in MethodOf<Port>]: MethodEffect };

export type StorageMethods<Storage> = { readonly [Name in keyof Storage]: PortMethods<Storage[Name]> };
