/**
 * What `answer` resolves to, unless it takes longer than `ms`: then it rejects with what `late` makes, and whatever
 * comes afterwards is ignored. Costs one timer and no more, so that every statement can have one.
 */
export function within<T>(ms: number, answer: Promise<T>, late: () => Error): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), ms);
    answer.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: Error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
