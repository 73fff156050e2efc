import type { ComponentChildren } from 'preact';

const MOST = 200;

/** A value as a tree. Values that JSON does not have are tagged by the server, and shown with their tag. */
export function Json({ value, name, open = 2 }: { value: unknown; name?: string; open?: number }) {
  const label = name === undefined ? null : <span class="key">{name}: </span>;
  if (typeof value !== 'object' || value === null) return <Leaf label={label}>{leafOf(value)}</Leaf>;
  const { $durable: tag, value: inner, ...others } = value as Record<string, unknown>;
  if (typeof tag === 'string' && Object.keys(others).length === 0) {
    const text = typeof inner === 'string' || typeof inner === 'number' ? String(inner) : (JSON.stringify(inner) ?? '');
    return (
      <Leaf label={label}>
        <span class="dim">{tag}</span> <span class="number">{text}</span>
      </Leaf>
    );
  }
  const entries = Object.entries(value);
  const [left, right] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (entries.length === 0) return <Leaf label={label}>{left + right}</Leaf>;
  return (
    <details class="tree" open={open > 0}>
      <summary>
        {label}
        <span class="dim">
          {left} {entries.length} {right}
        </span>
      </summary>
      <div class="inner">
        {entries.slice(0, MOST).map(([key, one]) => (
          <Json key={key} name={key} value={one} open={open - 1} />
        ))}
        {entries.length > MOST && <div class="dim">… {entries.length - MOST} more</div>}
      </div>
    </details>
  );
}

const Leaf = ({ label, children }: { label: ComponentChildren; children: ComponentChildren }) => (
  <div class="leaf">
    {label}
    {children}
  </div>
);

const leafOf = (value: unknown) => (
  <span class={value === null ? 'null' : typeof value}>
    {typeof value === 'string' ? JSON.stringify(value) : String(value)}
  </span>
);
