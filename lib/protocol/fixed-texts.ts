/** Texts in records that we write ourselves, which say nothing of the app: no codec encodes them. */
export const FIXED_TEXTS = {
  sealed: 'Sealed by the codec of the app',
  /** In place of what the codec could not encode, because the key is missing. */
  notEncoded: 'Not stored: the codec of the app could not encode it',
  terminated: 'The run was terminated: nothing was compensated',
  none: 'The worker reported a failure without an error',
} as const;

const ALL: ReadonlySet<string> = new Set(Object.values(FIXED_TEXTS));

export const isFixed = (text: string): boolean => ALL.has(text);
