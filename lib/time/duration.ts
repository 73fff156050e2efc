const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const PATTERN = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;

/** `'500ms' | '30s' | '5m' | '2h' | '7d'`, or milliseconds as a number. */
export type Duration = number | `${number}${keyof typeof UNITS}`;

/**
 * Converts a duration to whole milliseconds; `what` names it in the error.
 *
 * @throws TypeError with `code: 'INVALID_ARGUMENT'` when it is negative, not finite, or has another form.
 */
export function toMs(duration: Duration, what = 'duration'): number {
  const ms = typeof duration === 'number' ? duration : parse(String(duration));
  if (Number.isFinite(ms) && ms >= 0) return Math.round(ms);
  const given = typeof duration === 'string' ? JSON.stringify(duration) : String(duration);
  const message = `${what} is ${given}: pass milliseconds, or a string like '500ms', '30s', '5m', '2h', '7d'`;
  // Like an `InvalidArgumentError`, for HTTP APIs too.
  throw Object.assign(new TypeError(message), { code: 'INVALID_ARGUMENT', status: 400, statusCode: 400, expose: true });
}

function parse(text: string): number {
  const [, amount, unit] = PATTERN.exec(text) ?? [];
  return amount && unit ? Number(amount) * UNITS[unit as keyof typeof UNITS] : Number.NaN;
}
