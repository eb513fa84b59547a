import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** What the linter says of a file with this code in it. */
const lint = (code: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'balcao-lint-'))
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ plugins: [join(root, 'scripts/effect-body.grit')] }))
  writeFileSync(join(folder, 'effect.tsx'), `${code}\n`)
  const { stdout, stderr } = spawnSync(join(root, 'node_modules/.bin/biome'), ['lint', 'effect.tsx'], {
    cwd: folder,
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  return stdout + stderr
}
const finding = 'Write the body in braces'

test.each([
  'useEffect(() => list.scrollIntoView(), [])',
  'useEffect(() => list.scrollIntoView())',
  'React.useLayoutEffect(() => field.current?.focus(), [])',
  'useIsomorphicEffect(async () => load(), [])',
  'useEffect(() => () => stop(), [])',
])('an effect with an expression body is refused: %s', (code) => {
  expect(lint(code)).toContain(finding)
})

test.each([
  'useEffect(() => { const later = () => list.scrollIntoView(); return () => later() }, [])',
  'useMemo(() => list.length, [])',
])('an effect in braces is let through: %s', (code) => {
  const said = lint(code)
  expect(said).toContain('Checked 1 file')
  expect(said).not.toContain(finding)
})
