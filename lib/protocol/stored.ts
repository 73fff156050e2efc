type Fn = (...args: never[]) => unknown;

/** What storage keeps as it is. */
type Plain = string | number | boolean | bigint | null | undefined | void | Date;

/** A value that cannot be stored: `SerializationError` is thrown in its place. */
export interface NotStored<What extends string> {
  readonly 'cannot be stored as JSON': What;
}

/** The name of the class of `T` if the codec refuses it, since JSON would silently change its values. */
type Refused<T> =
  T extends PromiseLike<unknown>
    ? 'Promise'
    : T extends RegExp
      ? 'RegExp'
      : T extends ArrayBuffer | ArrayBufferView
        ? 'bytes'
        : T extends WeakMap<never, unknown> | WeakSet<never> | WeakRef<WeakKey>
          ? 'a weak reference'
          : never;

/**
 * What comes out of storage for a `T` that went in: a class instance becomes plain data of its own fields, without its
 * methods, or what its `toJSON` returns. Date, Map, Set, bigint and Error stay what they are, errors without their
 * class. What cannot be stored at all, such as a function or a RegExp, becomes {@link NotStored}. A type that loses
 * nothing stays itself.
 *
 * @example
 * class Money { constructor(readonly cents: number) {} format(): string { … } }
 * type InHistory = Stored<Money>; // { readonly cents: number }
 */
export type Stored<T> = Kept<T, [0, 0, 0, 0, 0]>;

/** As deep as there are entries in `Depth`: types that contain themselves have no end. */
type Kept<T, Depth extends 0[]> = unknown extends T
  ? T
  : Depth extends [0, ...infer Rest extends 0[]]
    ? [Converted<T, Rest>] extends [T]
      ? T
      : Converted<T, Rest>
    : T;

/** The order is that of the codec: an Error is one even if it has a `toJSON`. */
type Converted<T, Depth extends 0[] = [0, 0, 0, 0]> = T extends Plain
  ? T
  : T extends Fn
    ? NotStored<'function'>
    : T extends symbol
      ? NotStored<'symbol'>
      : T extends Error
        ? Error
        : T extends ReadonlyMap<infer Key, infer Value>
          ? Map<Kept<Key, Depth>, Kept<Value, Depth>>
          : T extends ReadonlySet<infer Item>
            ? Set<Kept<Item, Depth>>
            : T extends { toJSON(...args: never[]): infer Json }
              ? Kept<Json, Depth>
              : T extends readonly unknown[]
                ? { [At in keyof T]: Kept<T[At], Depth> }
                : [Refused<T>] extends [never]
                  ? StoredFields<T, Depth>
                  : NotStored<Refused<T>>;

/** Methods are not stored, nor are fields whose keys are symbols. */
type StoredFields<T, Depth extends 0[]> = {
  [Key in keyof T as Key extends symbol ? never : FieldKey<T, Key>]: Kept<T[Key], Depth>;
};

type FieldKey<T, Key extends keyof T> = [NonNullable<T[Key]>] extends [never]
  ? Key
  : NonNullable<T[Key]> extends Fn
    ? never
    : Key;

/** The members of `T` that do not survive storage, for the messages of the compiler; never if all do. */
export type Lost<T> = unknown extends T
  ? never
  : [Converted<T>] extends [T]
    ? never
    : T extends Plain
      ? never
      : [LostKey<T>] extends [never]
        ? 'its class'
        : LostKey<T>;

type LostKey<T> = T extends object
  ? Extract<{ [Key in keyof T]-?: [Stored<T[Key]>] extends [T[Key]] ? never : Key }[keyof T], string>
  : never;
