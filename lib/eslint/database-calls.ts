import { declarationOf, typeOf } from './declared-types.js';
import { childOf, memberOf, nameOf, type Node, type SourceCode, variableOf, withoutTypes } from './syntax.js';

/** Classes of TypeORM and MikroORM, and repositories of the app. */
const TYPES = /(Repository|EntityManager|DataSource|QueryRunner|QueryBuilder|MikroORM)$/;
/** Properties that no class declares here, for example those of a base class. */
const NAMES = /^(em|db|entityManager|dataSource|queryRunner|repo|repository|\w+(Repo|Repository))$/;

/** What reads or writes. `create`, `merge`, `persist`, `createQueryBuilder` and the like only prepare it. */
const METHODS = new RegExp(
  '^(find|count|exist|save|insert|update|upsert|delete|remove|soft|restore|recover|increment|decrement|sum|average|' +
    'minimum|maximum|query|execute|transaction|flush|persistAndFlush|native|populate|refresh|lock|preload|load|stream|' +
    'startTransaction|begin|commit|rollback|get(One|Many|Raw|Count|Exists|Entities|Result|SingleResult))',
);

/** A call that sends something to the database of the app, as far as the text shows it: `this.orders.find()`. */
export function databaseCallOf(sourceCode: SourceCode, call: Node): string | undefined {
  const callee = memberOf(childOf(call, 'callee'));
  if (!callee || !METHODS.test(callee.name)) return undefined;
  const root = databaseOf(sourceCode, callee.object);
  if (!root) return undefined;
  const isDirect = root === callee.object;
  return `${sourceCode.getText(root)}${isDirect ? '.' : '…'}${callee.name}()`;
}

/** With what a chain such as `this.db.getRepository(Order)` begins, if that is a part of an ORM. */
function databaseOf(sourceCode: SourceCode, node: Node, hops = 20): Node | undefined {
  const at = withoutTypes(node);
  if (hops === 0) return undefined;
  if (isDatabase(sourceCode, at)) return at;
  const inner =
    at.type === 'CallExpression' ? childOf(at, 'callee')! : (memberOf(at)?.object ?? valueOf(sourceCode, at));
  return inner && databaseOf(sourceCode, inner, hops - 1);
}

function isDatabase(sourceCode: SourceCode, node: Node): boolean {
  const type = typeOf(sourceCode, node);
  if (type !== undefined) return TYPES.test(type);
  const property = memberOf(node);
  return property?.object.type === 'ThisExpression' && !declarationOf(node) && NAMES.test(property.name);
}

/** What a variable was made of: `const orders = this.db.getRepository(Order)`. An awaited value is data. */
function valueOf(sourceCode: SourceCode, identifier: Node): Node | undefined {
  const [definition] = variableOf(sourceCode, identifier)?.defs ?? [];
  const isPlain = definition?.type === 'Variable' && nameOf(childOf(definition.node, 'id')) !== undefined;
  return isPlain ? childOf(definition.node, 'init') : undefined;
}
