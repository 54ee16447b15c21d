import { Client } from 'pg';
import { toRoleUrl } from './provision';

const ROLE = 'kinora_a b/é_jobs';
const PASSWORD = 'it\'s "%41" @+&';

describe('address of a role', () => {
  it.each([
    ['postgres://admin:secret@db:5433/kinora', 'db', 5433],
    ['postgres://db:5433/kinora', 'db', 5433],
    ['postgres://admin@db/kinora?user=admin&password=secret&application_name=x', 'db', 5432],
    ['postgresql:///kinora?host=/var/run/postgresql', '/var/run/postgresql', 5432],
    ['postgresql:///kinora?host=/var/run/postgresql&user=admin&password=secret', '/var/run/postgresql', 5432],
    ['postgresql://admin:secret@/kinora?host=/var/run/postgresql&port=5433', '/var/run/postgresql', 5433],
    ['postgres://admin:secret@%2Fvar%2Frun%2Fpostgresql/kinora', '/var/run/postgresql', 5432],
  ])('connects as the role where the administrator has %s', (adminUrl, host, port) => {
    const { user, password, ...rest } = new Client({ connectionString: toRoleUrl(adminUrl, ROLE, PASSWORD) });
    expect({ user, password }).toEqual({ user: ROLE, password: PASSWORD });
    expect(rest).toMatchObject({ host, port, database: 'kinora' });
    expect(toRoleUrl(adminUrl, ROLE, PASSWORD)).not.toMatch(/admin|secret/);
  });

  it.each([
    '/var/run/postgresql kinora',
    'host=db user=admin password=secret',
    'postgres://admin:secret@db:port/kinora',
  ])('is refused, without being quoted, if the driver would not connect as the role: %s', (adminUrl) => {
    expect(() => toRoleUrl(adminUrl, ROLE, PASSWORD)).toThrow(
      new Error('no role can be put into this address, write it as postgresql://user:password@host:5432/database'),
    );
  });
});
