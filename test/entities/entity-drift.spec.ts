import { statement } from '@kinora/database';
import { type TestDatabase, createTestDatabase } from '@kinora/testing';
import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  type MigrationInterface,
  PrimaryColumn,
  type QueryRunner,
} from 'typeorm';
import { entityDrift } from './entity-drift';
import { statementProblems } from './statement-problems';

class CreateShelf1795165200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE shelf (id uuid PRIMARY KEY, room text NOT NULL, closed_at timestamptz)');
    await runner.query(`
      CREATE TABLE book (
        id uuid PRIMARY KEY,
        shelf_id uuid NOT NULL REFERENCES shelf,
        pages integer NOT NULL DEFAULT 1 CHECK (pages > 0)
      )`);
    await runner.query('CREATE INDEX shelf_open ON shelf (room, id) WHERE closed_at IS NULL');
  }

  async down(): Promise<void> {}
}

/** The entities of these tables, with one property that a test can declare differently. */
function entitiesWith({
  type = 'text',
  nullable = true,
  where = 'closed_at IS NULL',
  columns = ['room', 'id'],
  check = 'pages > 0',
  pages = 1,
  owner = 'shelf_id',
}: Partial<{
  type: 'text' | 'uuid';
  nullable: boolean;
  where: string;
  columns: string[];
  check: string;
  pages: number;
  owner: string;
}> = {}) {
  @Entity('shelf')
  @Index('shelf_open', columns, { where })
  class ShelfEntity {
    @PrimaryColumn('uuid')
    id!: string;

    @Column(type)
    room!: string;

    @Column('timestamptz', { nullable })
    closed_at!: Date | null;
  }

  @Entity('book')
  @Check('book_pages_check', check)
  class BookEntity {
    @PrimaryColumn('uuid')
    id!: string;

    @Column('uuid', { name: owner })
    shelf_id!: string;

    @ManyToOne(() => ShelfEntity)
    @JoinColumn({ name: owner })
    shelf?: ShelfEntity;

    @Column('integer', { default: pages })
    pages!: number;
  }
  return [ShelfEntity, BookEntity];
}

describe('the difference between entities and the migrated schema', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase('entity-drift-spec', [CreateShelf1795165200000]);
  });
  afterAll(() => test.close());

  it('is empty where they match', async () => {
    expect(await entityDrift(test.url, entitiesWith())).toEqual([]);
  });

  it.each([
    ['a type', { type: 'uuid' }, 'TypeORM would run: ALTER TABLE "shelf" DROP COLUMN "room"'],
    ['a null', { nullable: false }, 'TypeORM would run: ALTER TABLE "shelf" ALTER COLUMN "closed_at" SET NOT NULL'],
    ['a default', { pages: 2 }, `TypeORM would run: ALTER TABLE "book" ALTER COLUMN "pages" SET DEFAULT '2'`],
    ['a column', { owner: 'case_id' }, 'TypeORM would run: ALTER TABLE "book" RENAME COLUMN "shelf_id" TO "case_id"'],
    ['a check', { check: 'pages > 1' }, 'book.book_pages_check: the entity has CHECK ((pages > 1))'],
    ['the order of an index', { columns: ['id', 'room'] }, 'shelf.shelf_open: the entity has CREATE INDEX shelf_open'],
    ['the condition of an index', { where: 'closed_at IS NOT NULL' }, 'shelf.shelf_open: the entity has CREATE INDEX'],
  ] as const)('names %s that differs', async (_, difference, problem) => {
    const problems = await entityDrift(test.url, entitiesWith({ ...difference } as never));
    expect(problems).toContainEqual(expect.stringContaining(problem));
  });

  it('names a table without an entity', async () => {
    const [shelf] = entitiesWith();
    expect(await entityDrift(test.url, shelf ? [shelf] : [])).toEqual(['no entity has the table book']);
  });

  it('is computed without a change of the schema', async () => {
    await entityDrift(test.url, entitiesWith({ check: 'pages > 1', type: 'uuid' }));
    expect(await entityDrift(test.url, entitiesWith())).toEqual([]);
  });
});

describe('a statement', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase('statement-problems-spec', [CreateShelf1795165200000]);
  });
  afterAll(() => test.close());

  it('is reported where a column that it reads does not exist', async () => {
    const [sound, renamed] = ['room', 'hall'].map((column) =>
      statement(`shelf_find_${column}`, `SELECT id FROM shelf WHERE ${column} = $1`),
    );
    const problems = await statementProblems(
      test.url,
      [sound, renamed].filter((one) => one !== undefined),
    );
    expect(problems).toEqual(['the statement shelf_find_hall does not fit the schema: column "hall" does not exist']);
  });
});
