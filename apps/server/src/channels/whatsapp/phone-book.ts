import { z } from 'zod'
import type { Listed } from '../adapter.ts'
import { identitiesOf, isIgnored } from './jids.ts'

/** A gateway's list of people or groups: who has an address, by it and by the name the phone has for them. */
export const listed = <Row>(
  answer: unknown,
  shape: z.ZodType<Row>,
  shown: (row: Row) => [jid: string | undefined, name: string | undefined],
): Listed[] =>
  z
    .array(z.unknown())
    .catch([])
    .parse(answer)
    .flatMap((one) => {
      const { data } = shape.safeParse(one)
      const [jid, name] = data ? shown(data) : []
      const identities = jid && !isIgnored(jid) ? identitiesOf(jid) : []
      return identities.length ? [{ identities, name: name?.trim() || null }] : []
    })
