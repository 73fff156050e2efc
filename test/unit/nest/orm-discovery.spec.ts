import { executorOf } from '../../../lib/nest/storage.providers.js';

class DataSource {
  name = 'default';
}

const search = (tokens: unknown[]) => () =>
  executorOf([{ orm: 'typeorm', token: 'reportingDataSource' }], [undefined], () => tokens, {
    connection: 'reporting',
  });

describe('a connection with an unknown name', () => {
  it.each<[string, unknown[], string]>([
    [
      'the nearest one',
      ['reportsDataSource', 'mainDataSource'],
      'did you mean "reports"? The app has "reports", "main"',
    ],
    ['the one without a name', [DataSource, 'mainDataSource'], 'The app has "main", and one without a name: omit'],
    ['only the one without a name', [DataSource], 'the app has only one without a name: omit connection'],
    ['no connection', ['other'], 'the app has no connection at all: import the module of its ORM'],
  ])('is told of %s', (_, tokens, message) => {
    expect(search(tokens)).toThrow(`No connection is called "reporting": ${message}`);
  });
});
