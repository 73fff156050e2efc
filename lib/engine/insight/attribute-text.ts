import { InvalidArgumentError } from '../../errors/argument-errors.js';
import type { AttributeValue } from '../model/run.js';

/**
 * An attribute in the words of the command line and of addresses, `name=value`: a number, true, false, or else a text.
 *
 * @throws InvalidArgumentError
 */
export function attributeOf(text: string): [string, AttributeValue] {
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === '') throw new InvalidArgumentError('attribute', text, 'name=value');
  if (value === 'true' || value === 'false') return [name, value === 'true'];
  return [name, /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value];
}
