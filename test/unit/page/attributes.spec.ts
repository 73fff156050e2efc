import { attributeOf, attributeTextsIn } from '../../../lib/engine/listing.js';
import { attributeText } from '../../../page/src/attributes.js';

describe('an attribute in an address', () => {
  it.each(['acme', 'Doe, "Jane"', '4711', '-1.5', 'true', '', 'a=b', '"quoted"', 'ü/ß 7', 4711, -1.5, true, false])(
    'is the same when it is read: %j',
    (value) => {
      const [text = '', ...others] = attributeTextsIn(attributeText('name', value));
      expect(others).toEqual([]);
      expect(attributeOf(text)).toEqual(['name', value]);
    },
  );

  it('may stand beside others', () => {
    expect(attributeTextsIn('a=1, b="2,3",c=x').map(attributeOf)).toEqual([
      ['a', 1],
      ['b', '2,3'],
      ['c', 'x'],
    ]);
  });
});
