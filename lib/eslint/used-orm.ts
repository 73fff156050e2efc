import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { childOf, listOf, nameOf, type RuleContext } from './syntax.js';

type Packages = Readonly<Record<string, string>>;

/**
 * Whether a file is of an app with MikroORM, which knows the open transaction by itself. Files of workflows often import
 * no ORM at all; then the nearest `package.json` that names one tells. One with both tells nothing.
 */
export function usesMikroOrm({ sourceCode, filename }: RuleContext): boolean {
  const imports = listOf(sourceCode.ast, 'body').map((statement) => nameOf(childOf(statement, 'source')) ?? '');
  return isMikroOrm(imports) ?? dependenciesTell(dirname(filename));
}

function isMikroOrm(packages: readonly string[]): boolean | undefined {
  const hasTypeOrm = packages.some((name) => /^(@nestjs\/)?typeorm$/.test(name));
  const hasMikroOrm = packages.some((name) => name.startsWith('@mikro-orm/'));
  return hasTypeOrm || hasMikroOrm ? !hasTypeOrm : undefined;
}

function dependenciesTell(folder: string): boolean {
  const found = isMikroOrm(dependenciesIn(join(folder, 'package.json')));
  if (found !== undefined) return found;
  const above = dirname(folder);
  return above !== folder && dependenciesTell(above);
}

function dependenciesIn(file: string): string[] {
  if (!existsSync(file)) return [];
  try {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Packages>;
    return Object.keys({ ...dependencies, ...devDependencies });
  } catch {
    // Somebody is just writing it.
    return [];
  }
}
