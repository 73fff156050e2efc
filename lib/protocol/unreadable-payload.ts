/**
 * Stands for a stored value that the codec of the app cannot decode, for example because its key was deleted. `getStatus`
 * and `list` show it in place of the value.
 *
 * @example
 * if (status.input instanceof UnreadablePayload) return 'erased';
 */
export class UnreadablePayload {
  /** True: also recognizable in its JSON form. */
  readonly unreadable = true;

  constructor(
    /** The message of the codec's error. */
    readonly reason: string,
  ) {}
}
