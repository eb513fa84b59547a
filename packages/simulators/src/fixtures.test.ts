import { expect, test } from 'vitest'
import { z } from 'zod'
import { fixture, fixturesOf } from './fixtures.ts'

const waba = z.object({
  object: z.literal('whatsapp_business_account'),
  entry: z.array(
    z.object({ id: z.string(), changes: z.array(z.object({ field: z.string(), value: z.looseObject({}) })).min(1) }),
  ),
})
const telegram = z.looseObject({ update_id: z.int() })

test.each(fixturesOf('waba'))('waba/$name is an envelope of the Cloud API', ({ payload }) => {
  expect(waba.parse(payload)).toEqual(payload)
})

test.each(fixturesOf('telegram'))('telegram/$name is an update with one field', ({ payload }) => {
  expect(Object.keys(telegram.parse(payload))).toHaveLength(2)
})

test('every message of the waba inbound table has its payload', () => {
  const types = 'text image video audio document sticker location contacts button reaction order'.split(' ')
  for (const type of types) {
    const [message] = z
      .object({
        entry: z.tuple([
          z.object({
            changes: z.tuple([
              z.object({ value: z.looseObject({ messages: z.array(z.looseObject({ type: z.string() })) }) }),
            ]),
          }),
        ]),
      })
      .parse(fixture('waba', type)).entry[0].changes[0].value.messages
    expect(message).toMatchObject({ type, [type]: expect.anything() })
  }
})
