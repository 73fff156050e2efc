import { describeBackends, type OpenBackend } from '../../support/backends.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('makes tables of its own');

interface QueriesLikeMikroOrm {
  em: { getConnection(): { execute(text: string): Promise<unknown> } };
}
interface QueriesLikeTypeOrm {
  query(text: string): Promise<unknown>;
}

const ask = (backend: OpenBackend, handle: unknown, text: string) =>
  backend.orm === 'typeorm'
    ? (handle as QueriesLikeTypeOrm).query(text)
    : (handle as QueriesLikeMikroOrm).em.getConnection().execute(text);

describeBackends('a backend of the tests', (at) => {
  let backend: OpenBackend;
  beforeAll(async () => {
    backend = await at.open({ poolMax: 2 });
  });
  afterAll(() => backend.close());

  it('is the database it says', async () => {
    const [row] = await backend.query<{ v: string }>('SELECT version() AS v');
    const kind = { postgres: /^PostgreSQL/, mysql: /^(?!.*MariaDB)[89]\./, mariadb: /MariaDB/ }[backend.db];
    expect(row?.v).toMatch(kind);
  });

  it('has ORM handles and a witness on one fresh database', async () => {
    await ask(backend, backend.handle, 'CREATE TABLE seen (n int)');
    await ask(backend, await backend.another(), 'INSERT INTO seen VALUES (7)');
    expect(await backend.query('SELECT n FROM seen WHERE n = ?', [7])).toEqual([{ n: 7 }]);
  });
});
