import { id, type Identifier } from '../sql/dialects/statement.js';

/** The tables of effects, with the common prefix of all tables. */
export interface EffectTables {
  readonly prefix: string;
  readonly effects: Identifier;
  readonly audit: Identifier;
}

export const effectTables = (prefix: string): EffectTables => ({
  prefix,
  effects: id(`${prefix}_effects`),
  audit: id(`${prefix}_effect_audit`),
});
