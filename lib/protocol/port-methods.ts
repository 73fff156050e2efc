/**
 * The effect of a port's method on stored data. `reads`: none, it returns data. `tells`: none, it sends or receives
 * notifications. `lives`: it writes leases of nodes, which expire. `finds`: it changes only the rows that it finds and
 * returns, as an array, a count, or an object with a count. `writes`: any other change.
 */
export type MethodEffect = 'reads' | 'tells' | 'lives' | 'finds' | 'writes';

type MethodOf<Port> = {
  [Name in keyof Port]-?: NonNullable<Port[Name]> extends (...args: never[]) => unknown ? Name : never;
}[keyof Port];

/** The effects of all methods of a port: a port with a new method does not compile until its effect is added here. */
export type PortMethods<Port> = { readonly [Name in MethodOf<Port>]: MethodEffect };

export type StorageMethods<Storage> = { readonly [Name in keyof Storage]: PortMethods<Storage[Name]> };
