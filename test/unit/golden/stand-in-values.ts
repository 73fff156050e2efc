import ts from 'typescript';
import { effectTables } from '../../../lib/effects/tables.sql.js';
import { outboxTables } from '../../../lib/outbox/tables.sql.js';
import type { Dialect } from '../../../lib/sql/dialects.js';
import { id, sql } from '../../../lib/sql/statement.js';
import { tablesWithPrefix } from '../../../lib/sql/tables.js';

/** Where a value can be made in several ways (which of a union, whether it is left out, how many of a list): what they are. */
export type Choices = Map<string, readonly string[]>;

/** Which of them is taken: the first or the last everywhere, but at `path` the one that is named. */
export interface Chosen {
  readonly by: 'first' | 'last';
  readonly path?: string;
  readonly value?: string;
}

/** Texts that are read as numbers. */
const NUMBERS = /^(after|position|sequenceId|known|numbers|ids|epoch)$/;
/** Deeper values are of types that contain themselves. */
const DEEPEST = 8;

/**
 * Makes a value of each type, so that a statement function can be called without anybody writing its arguments down: texts
 * say where they stand, numbers count up. What there is comes first among the choices, what is left out comes last.
 */
export class StandInValues {
  readonly choices: Choices = new Map();
  private count = 0;

  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly dialect: Dialect,
    private readonly chosen: Chosen,
  ) {}

  of(type: ts.Type, path: string, nth = 0): unknown {
    const known = this.ours(type, path, nth);
    if (known !== undefined) return known;
    if (type.isUnion()) return this.oneOf(type, path, nth);
    if (type.isStringLiteral() || type.isNumberLiteral()) return type.value;
    if (type.flags & ts.TypeFlags.BooleanLiteral) return this.checker.typeToString(type) === 'true';
    if (type.flags & ts.TypeFlags.Null) return null;
    if (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) return undefined;
    if (type.flags & ts.TypeFlags.String) return this.text(path, nth);
    if (type.flags & ts.TypeFlags.Number) return ++this.count;
    if (type.flags & ts.TypeFlags.BigInt) return BigInt(++this.count);
    if (this.checker.isArrayType(type) || this.checker.isTupleType(type)) return this.list(type, path, nth);
    const [signature] = type.getCallSignatures();
    if (signature) return () => this.of(signature.getReturnType(), `${path}()`, nth);
    if (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) return this.object(type, path, nth);
    return this.text(path, nth);
  }

  /** Values that nobody could make up. */
  private ours(type: ts.Type, path: string, nth: number): unknown {
    const name = type.aliasSymbol?.name ?? type.symbol?.name;
    const names = { table: 'durable_outbox', nodesTable: 'durable_outbox_nodes', schema: 'app' };
    switch (name) {
      case 'Dialect':
        return this.dialect;
      case 'Tables':
        return tablesWithPrefix('durable');
      case 'OutboxTables':
        return outboxTables('durable', { ...names, schema: undefined });
      case 'OutboxTableNames':
      case 'PublishedNames':
        return { ...names, topicChannel: 'public.durable_outbox' };
      case 'EffectTables':
        return effectTables('durable');
      case 'SqlNow':
        return () => this.dialect.now;
      case 'Statement':
        return sql`${id(lastOf(path))}`;
      case 'Identifier':
        return id(lastOf(path));
      // It contains itself twice, and is one text for every statement.
      case 'WireError':
        return { message: this.text('message', nth) };
      case 'SqlPart':
        return this.text(path, nth);
      default:
        return this.isOfDialect(type);
    }
  }

  /** The name or the family of a database. */
  private isOfDialect(type: ts.Type): unknown {
    if (!type.isUnion() || !type.types.every((one) => one.isStringLiteral())) return undefined;
    const values = type.types.map((one) => one.value);
    if (!values.includes('postgres') || !values.includes('mysql')) return undefined;
    return values.includes('mariadb') ? this.dialect.name : this.dialect.family;
  }

  private oneOf(type: ts.UnionType, path: string, nth: number): unknown {
    const named = NAMED.get(type) ?? namedTypes(type, this.checker);
    NAMED.set(type, named);
    return this.of(named.get(this.choose(path, [...named.keys()])) as ts.Type, path, nth);
  }

  private list(type: ts.Type, path: string, nth: number): unknown[] {
    const items = this.checker.getTypeArguments(type as ts.TypeReference);
    if (this.checker.isTupleType(type)) return items.map((item, i) => this.of(item, `${path}[${i}]`, nth));
    if (path.split(/[.[]/).length > DEEPEST) return [];
    const length = Number(this.choose(`${path}[]`, ['2', '1']));
    return Array.from({ length }, (_, i) => this.of(items[0] as ts.Type, `${path}[]`, nth * 2 + i + 1));
  }

  private object(type: ts.Type, path: string, nth: number): unknown {
    if (path.split(/[.[]/).length > DEEPEST) return {};
    const properties = this.checker.getPropertiesOfType(type).flatMap((property): [string, unknown][] => {
      const of = this.checker.getTypeOfSymbol(property);
      const at = `${path}.${property.name}`;
      const optional = (property.flags & ts.SymbolFlags.Optional) !== 0;
      if (optional && !of.isUnion() && this.choose(at, ['given', 'undefined']) === 'undefined') return [];
      return [[property.name, this.of(of, at, nth)]];
    });
    const indexed = this.checker.getIndexTypeOfType(type, ts.IndexKind.String);
    if (indexed) properties.push(['named', this.of(indexed, `${path}.named`, nth)]);
    return Object.fromEntries(properties.filter(([, value]) => value !== undefined));
  }

  private text(path: string, nth: number): string {
    const name = lastOf(path);
    if (NUMBERS.test(name)) return String(++this.count);
    return nth === 0 ? name : `${name}-${nth}`;
  }

  private choose(path: string, names: readonly string[]): string {
    this.choices.set(path, names);
    const { by, path: other, value } = this.chosen;
    if (other === path && value !== undefined && names.includes(value)) return value;
    return (by === 'first' ? names[0] : names.at(-1)) as string;
  }
}

const lastOf = (path: string): string => path.replaceAll(/\[\d*\]|\(\)/g, '').replace(/^.*\./, '');

const NAMED = new WeakMap<ts.UnionType, ReadonlyMap<string, ts.Type>>();

/** By name: the order in which the compiler has them depends on what it has read before. */
function namedTypes({ types }: ts.UnionType, checker: ts.TypeChecker): ReadonlyMap<string, ts.Type> {
  const nothing = ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Void;
  const last = (one: ts.Type, name: string) => (one.flags & nothing ? 2 : name === 'false' ? 1 : 0);
  const named = types.map((one) => [checker.typeToString(one), one] as const);
  return new Map(named.sort(([a, x], [b, y]) => last(x, a) - last(y, b) || (a < b ? -1 : 1)));
}
