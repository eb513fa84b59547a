import { expect, test } from 'vitest'
import { cleanJson, cleanText, isTooDeep } from './text.ts'

test.each([
  ['a NUL', '{"a\\u0000b":"c\\u0000"}', { ab: 'c' }],
  ['half a pair', '["\\ud83d","x\\uDE00y"]', ['\ufffd', 'x\ufffdy']],
  ['a whole pair', '["\\ud83d\\ude00"]', ['😀']],
  ['an escaped backslash', '["\\\\u0000","\\\\ud800"]', ['\\u0000', '\\ud800']],
  ['a backslash before a NUL', '["\\\\\\u0000"]', ['\\']],
  ['two halves in the wrong order', '["\\ude00\\ud83d"]', ['\ufffd\ufffd']],
])('JSON with %s is read as PostgreSQL can keep it', (_what, json, value) => {
  expect(JSON.parse(cleanJson(json))).toEqual(value)
})

test('what JSON.stringify writes of any text is read as the clean text', () => {
  for (const text of ['\0', 'a\ud800', '\udfff\ud800', '\\\0\\u0000', '😀\ud83d', '\u2028"\n'])
    expect(JSON.parse(cleanJson(JSON.stringify(text)))).toBe(cleanText(text))
})

test('only boxes count as depth, not what is written in them', () => {
  const boxes = (depth: number) => `${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`
  expect(
    [boxes(32), boxes(33), JSON.stringify('['.repeat(500)), JSON.stringify(['\\"[', '['.repeat(99)])].map(isTooDeep),
  ).toEqual([false, true, false, false])
  expect(isTooDeep(JSON.stringify(Array(500).fill([])))).toBe(false)
})
