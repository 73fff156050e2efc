/**
 * What a piece of work is refused with.
 *
 * @throws Error when it is not refused.
 */
export async function thrownBy(work: Promise<unknown> | void): Promise<Error> {
  try {
    await work;
  } catch (error) {
    return error as Error;
  }
  throw new Error('It was not refused');
}
