// Imports point one way (CONTRIBUTING: the rooms of the house). Tests may look anywhere.
import fs from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')

/** `$1` in `not` is what the first group of `from` matched; `but` is let through. */
const arrows = [
  { from: '^packages/contract/', not: '^(?!packages/contract/|zod$|zod/)', why: 'the contract imports zod alone' },
  { from: '^packages/', not: '^(apps/|@balcao/(server|web|widget))', why: 'packages know no app' },

  { from: '^apps/server/src/db/', not: '^apps/server/src/(kit|features|channels|bots|realtime|jobs|app|main)\\b' },
  { from: '^apps/server/src/kit/', not: '^apps/server/src/(features|channels|bots|realtime|jobs|app|main)\\b' },
  { from: '^apps/server/src/(?:channels|bots)/', not: '^apps/server/src/(features|realtime|jobs|db|app|main)\\b' },
  {
    from: '^apps/server/src/(channels|bots)/([^/]+)/',
    not: '^apps/server/src/$1/(?!$2/)[^/]+/',
    why: 'an adapter knows no other adapter; what two share lies above their folders',
  },
  { from: '^apps/server/src/features/', not: '^apps/server/src/(app|main)\\b' },
  {
    from: '^apps/server/src/features/([^/]+)/',
    not: '^apps/server/src/features/(?!$1/).*\\.queries\\.ts$',
    why: 'a feature uses another through its service, never its queries',
  },

  { from: '^apps/web/src/ui/', not: '^apps/web/src/(features|screens|app)/' },
  { from: '^apps/web/src/kit/', not: '^apps/web/src/(features|screens|app)/' },
  { from: '^apps/web/src/features/', not: '^apps/web/src/(screens|app)/' },
  { from: '^apps/web/src/screens/', not: '^apps/web/src/app/' },
  { from: '^apps/(web|widget)/', not: '^(apps/server|@balcao/(server|simulators))', why: 'browsers carry no server' },
]

const findings = filesIn('packages').concat(filesIn('apps')).flatMap(brokenArrows)
for (const finding of findings) console.log(finding)
process.exit(findings.length ? 1 : 0)

function brokenArrows(file) {
  const targets = importsOf(file)
  return arrows.flatMap(({ from, not, why }) => {
    const room = new RegExp(from).exec(file)
    if (!room) return []
    const forbidden = new RegExp(not.replace(/\$(\d)/g, (_, group) => room[Number(group)]))
    return targets
      .filter((target) => forbidden.test(target))
      .map((target) => `${file} imports ${target}: ${why ?? 'imports point one way'}`)
  })
}

/** What a file imports: our own files by their path from the root, packages by their name. */
function importsOf(file) {
  const source = fs.readFileSync(path.join(root, file), 'utf8')
  const pattern = /(?:^|[\s;}])(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g
  return [...source.matchAll(pattern)].map(([, named, bare]) => {
    const target = named ?? bare
    return target.startsWith('.') ? path.posix.join(path.posix.dirname(file), target) : target
  })
}

function filesIn(folder) {
  return fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`
    if (entry.isDirectory())
      return ['node_modules', 'dist', 'test', 'fixtures'].includes(entry.name) ? [] : filesIn(file)
    return /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && file.includes('/src/') ? [file] : []
  })
}
