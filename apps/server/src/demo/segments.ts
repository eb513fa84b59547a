import type { Segment } from '@balcao/contract/contacts/segments/segments.ts'
import { asc, eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { lanes } from '../db/schema/contacts/lanes.ts'
import { segments } from '../db/schema/contacts/segments.ts'
import { tags } from '../db/schema/contacts/tags.ts'

/** Segments as a company begins with them. */
export const seedSegments = async (tx: Tx, userId: string) => {
  const [tag] = await tx.db
    .select({ id: tags.id })
    .from(tags)
    .where(eq(tags.tenantId, tx.tenantId))
    .orderBy(asc(tags.name))
    .limit(1)
  const [lane] = await tx.db
    .select({ id: lanes.id })
    .from(lanes)
    .where(eq(lanes.tenantId, tx.tenantId))
    .orderBy(asc(lanes.position))
    .limit(1)
  const known: { name: string; description: string; rules: Segment }[] = [
    {
      name: 'Sem resposta há uma semana',
      description: 'Escreveram e ninguém escreveu de volta nos últimos 7 dias.',
      rules: {
        match: 'all',
        rules: [
          { field: 'lastIn', op: 'filled' },
          { field: 'lastOut', op: 'older', value: 7 },
          { field: 'hasOpenTicket', op: 'no' },
        ],
      },
    },
    {
      name: 'Aniversariantes da semana',
      description: '',
      rules: { match: 'all', rules: [{ field: 'birthday', op: 'next', value: 7 }] },
    },
    {
      name: 'Em São Paulo, com etiqueta ou na primeira etapa',
      description: 'Quem já demonstrou interesse e mora perto.',
      rules: {
        match: 'all',
        rules: [
          { field: 'phoneState', op: 'any', value: ['SP'] },
          {
            match: 'any',
            rules: [
              ...(tag ? [{ field: 'tags' as const, op: 'any', value: [tag.id] }] : []),
              ...(lane ? [{ field: 'lane' as const, op: 'any', value: [lane.id] }] : []),
              { field: 'tickets', op: 'atLeast', value: 2 },
            ],
          },
        ],
      },
    },
  ]
  await tx.db.insert(segments).values(known.map((one) => ({ ...one, tenantId: tx.tenantId, userId, isShared: true })))
}
