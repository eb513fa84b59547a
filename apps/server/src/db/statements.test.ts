import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const sources = fs
  .readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))

test('no statement pages by a key that may be null: row-level security would keep it from the index (beyondAll)', () => {
  const seekless = /\$\d+(::\w+)? is null or [\w.(, ]+\)? [<>]=? \(?\$\d|[\w)] [<>]=? coalesce\(\$/
  const found = sources.filter((file) => seekless.test(fs.readFileSync(path.join(root, file), 'utf8')))
  expect(found).toEqual([])
})
