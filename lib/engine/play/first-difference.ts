/** Where two JSON texts differ first, without the values: ` (it differs at .order.at)`. */
export function firstDifference(text: string, other: string): string {
  try {
    const path = pathOf(JSON.parse(text), JSON.parse(other));
    return path === '' ? '' : ` (it differs at ${path})`;
  } catch {
    return '';
  }
}

function pathOf(one: unknown, other: unknown): string {
  if (!isObject(one) || !isObject(other)) return '';
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const key = keys.find((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
  return key === undefined ? '' : `.${key}${pathOf(one[key], other[key])}`;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
