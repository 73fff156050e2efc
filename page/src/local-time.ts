/** A time of the address, as its field shows it: in the zone of the browser. */
export function localOf(iso: string | undefined): string {
  const time = Date.parse(iso ?? '');
  if (Number.isNaN(time)) return '';
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The other way round; undefined for an empty field. */
export const isoOf = (local: string): string | undefined => (local === '' ? undefined : new Date(local).toISOString());
