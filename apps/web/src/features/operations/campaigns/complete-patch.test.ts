import { campaignAudience } from '@balcao/contract/operations/campaigns/audience.ts'
import { campaignContent, campaignStep } from '@balcao/contract/operations/campaigns/content.ts'
import { expect, test } from 'vitest'
import { complete } from './complete-patch.ts'

const template = { name: 'novidades', language: 'pt_BR' }
const saved = (content: object) => {
  const steps = [campaignStep.parse({ variants: [{ content: campaignContent.parse(content) }] })]
  return complete({ steps }).steps?.[0]?.variants[0]?.content.parts.map(({ body }) => body)
}

test('beside a template, the empty text a message begins with is not saved; words are, and an empty message alone is', () => {
  expect(saved({ template, parts: [{ kind: 'text', body: ' ' }] })).toEqual([])
  expect(saved({ template, parts: [{ kind: 'text', body: 'Oi' }] })).toEqual(['Oi'])
  expect(saved({ parts: [{ kind: 'text' }] })).toEqual([''])
})

test('a source of which nothing is chosen yet stays on screen', () => {
  const rules = { match: 'all', rules: [{ field: 'tags', op: 'any', value: [] }] } as const
  const include = [
    { kind: 'everybody' as const },
    { kind: 'rules' as const, rules: { ...rules, rules: [...rules.rules] } },
    { kind: 'tags' as const, tagIds: [] },
    { kind: 'import' as const, importId: '' },
  ]
  const { audience } = complete({ audience: { ...campaignAudience.parse({}), include: include as never } })
  expect(audience?.include).toEqual([{ kind: 'everybody' }])
})
