import 'reflect-metadata';
import { DurableModule } from '../durable.module.js';

/** Whether a module, or one that it imports, imports DurableModule. */
export async function importsDurable(imported: unknown, seen = new Set<unknown>()): Promise<boolean> {
  const found = await imported;
  const module = partOf(found, 'module') ?? (partOf(found, 'forwardRef') as (() => unknown) | undefined)?.() ?? found;
  if (module === DurableModule) return true;
  if (typeof module !== 'function' || seen.has(module)) return false;
  seen.add(module);
  const declared = (Reflect.getMetadata('imports', module) ?? []) as unknown[];
  const dynamic = (partOf(found, 'imports') ?? []) as unknown[];
  for (const each of [...declared, ...dynamic]) if (await importsDurable(each, seen)) return true;
  return false;
}

const partOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
