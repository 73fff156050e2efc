/** Without options that are there and undefined, as those of a variable that is not set. */
export const given = <Options extends object>(options: Options | undefined): Partial<Options> =>
  Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== undefined)) as Partial<Options>;
