import { expect, test } from 'vitest'
import { placesOf, pollOf } from './content.ts'
import { contentOf } from './hub/content.ts'

test('an option cut at an emoji is one that can be stored, and whoever chooses it is understood', () => {
  const long = `${'a'.repeat(99)}😀`
  const poll = pollOf('Qual?', [long, 'Outra'])
  const titles = poll?.type === 'poll' ? (poll.interactive?.options.map(({ title }) => title) ?? []) : []
  expect(titles).toEqual(['a'.repeat(99), 'Outra'])
  expect(placesOf([long], titles)).toEqual([0])
})

test('a mail that comes by the hub is read at once, whatever its page is made of', () => {
  const startedAt = performance.now()
  const mail = (html: string) => contentOf({ type: 'email', subject: 'Pedido', html })
  expect(mail('<p>Chegou?</p><p>Sim &amp; bem.</p>')).toEqual({ type: 'text', body: 'Pedido\n\nChegou?\n\nSim & bem.' })
  for (const sign of ['<', '<a ', '&']) mail(sign.repeat(300_000))
  expect(performance.now() - startedAt).toBeLessThan(2_000)
})
