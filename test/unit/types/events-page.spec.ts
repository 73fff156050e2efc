import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { EVENT_NAMES } from '../../../lib/core/telemetry.js';
import { ourProgram } from '../../support/our-program.js';
import { ROOT } from '../../support/root.mjs';

const TELEMETRY = join(ROOT, 'lib/core/telemetry.ts');

/** The fields of each event, as its type declares them; optional ones with a question mark. */
function declaredEvents(): Map<string, string[]> {
  const program = ourProgram([TELEMETRY], () => undefined);
  const source = program.getSourceFile(TELEMETRY)!;
  const checker = program.getTypeChecker();
  const events = source.statements
    .filter(ts.isInterfaceDeclaration)
    .find(({ name }) => name.text === 'TelemetryEvents')!;
  return new Map(
    checker.getPropertiesOfType(checker.getTypeAtLocation(events)).map((event) => {
      const fields = checker.getPropertiesOfType(checker.getTypeOfSymbolAtLocation(event, events));
      const shown = fields.map(({ name, flags }) => name + (flags & ts.SymbolFlags.Optional ? '?' : ''));
      return [event.name, shown.sort()];
    }),
  );
}

/** The same from the tables of the page: `| name | when | fields |`. */
function documentedEvents(): Map<string, string[]> {
  const page = readFileSync(join(ROOT, 'docs/events.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z]+\.[a-z-]+)` +\| .*? \| ([^|]*?) *\|$/gm)];
  return new Map(
    rows.map(([, name = '', fields = '']) => [name, [...fields.matchAll(/`([^`]+)`/g)].map(([, one]) => one!).sort()]),
  );
}

describe('The page of events', () => {
  const declared = declaredEvents();

  it('lists every event with its fields, and no other', () => {
    expect(declared.size).toBeGreaterThan(30);
    const inOrder = (events: Map<string, string[]>) => Object.fromEntries([...events].sort());
    expect(inOrder(documentedEvents())).toEqual(inOrder(declared));
    expect([...declared.keys()].sort()).toEqual([...EVENT_NAMES].sort());
  });

  it('leaves `type` to the name of the event', () => {
    expect([...declared.values()].flat()).not.toContain('type');
  });
});
