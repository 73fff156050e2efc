import { MOST_VALUES, OTHER } from './bounded-attributes.js';
import { type GaugeName, type GaugeReading, METRICS } from './metric-names.js';

/** Keeps the values of each attribute of a gauge that say most, and reads all others together as {@link OTHER}. */
export function foldedGauges(readings: readonly GaugeReading[]): GaugeReading[] {
  const byName = new Map<GaugeName, GaugeReading[]>();
  for (const one of readings) byName.set(one.name, [...(byName.get(one.name) ?? []), one]);
  return [...byName].flatMap(([name, some]) => METRICS[name].attributes.reduce(folded, some));
}

function folded(readings: GaugeReading[], attribute: string): GaugeReading[] {
  const greatest = new Map<string, number>();
  for (const { attributes, value } of readings) {
    const of = attributes[attribute];
    if (of !== undefined) greatest.set(of, Math.max(value, greatest.get(of) ?? 0));
  }
  if (greatest.size <= MOST_VALUES) return readings;
  const kept = new Set(
    [...greatest]
      .sort(([, a], [, b]) => b - a)
      .slice(0, MOST_VALUES)
      .map(([of]) => of),
  );
  const others = new Map<string, GaugeReading>();
  const left = readings.filter((one) => {
    const of = one.attributes[attribute];
    if (of === undefined || kept.has(of)) return true;
    const attributes = { ...one.attributes, [attribute]: OTHER };
    const key = JSON.stringify(attributes);
    const known = others.get(key);
    others.set(key, { ...one, attributes, value: known ? together(one, known) : one.value });
    return false;
  });
  return [...left, ...others.values()];
}

/** Of ages the greatest, of numbers the sum. */
const together = ({ name, value }: GaugeReading, other: GaugeReading): number =>
  METRICS[name].unit === 's' ? Math.max(value, other.value) : value + other.value;
