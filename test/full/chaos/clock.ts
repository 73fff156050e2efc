/** Milliseconds of the machine's monotonic clock: the same in all processes, in Node and in Python, and nobody can set it. */
export const monotonicMs = (): number => Number(process.hrtime.bigint() / 1_000n) / 1_000;
