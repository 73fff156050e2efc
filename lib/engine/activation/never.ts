/** How the code is stopped without anything being thrown through it: the promise it awaits never settles. */
export const never = <T>(): Promise<T> => new Promise<T>(() => {});
