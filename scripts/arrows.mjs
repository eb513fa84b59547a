// Imports point one way (CONTRIBUTING: the rooms of the house). Tests may look anywhere.
import fs from 'node:fs'
import path from 'node:path'
import { ranks } from './domains.mjs'

const root = path.resolve(import.meta.dirname, '..')

/** `$1` in `not` is what the first group of `from` matched. */
const arrows = [
  { from: '^packages/contract/', not: '^(?!packages/contract/|zod$|zod/)', why: 'the contract imports zod alone' },
  { from: '^packages/', not: '^(apps/|@balcao/(server|web|widget))', why: 'packages know no app' },

  { from: '^apps/server/src/db/', not: '^apps/server/src/(kit|features|channels|realtime|jobs|app|main)\\b' },
  { from: '^apps/server/src/kit/', not: '^apps/server/src/(features|channels|realtime|jobs|app|main)\\b' },
  { from: '^apps/server/src/channels/', not: '^apps/server/src/(features|realtime|jobs|db|app|main)\\b' },
  {
    from: '^apps/server/src/channels/([^/]+)/',
    not: '^apps/server/src/channels/(?!$1/|(whatsapp|meta)/)[^/]+/',
    why: 'an adapter knows no other adapter; what two share lies above their folders, in whatsapp or in meta',
  },
  { from: '^apps/server/src/integrations/', not: '^apps/server/src/(features|realtime|jobs|db|channels|app|main)\\b' },
  {
    from: '^apps/server/src/features/',
    not: '^apps/server/src/(realtime|jobs|app|main)\\b',
    why: 'sockets and chores stand above features, which reach them through hooks',
  },
  {
    from: '^apps/server/src/features/',
    not: '^apps/server/src/(channels|integrations)/[^/]+/',
    why: 'a feature knows adapters by their interface, none by name',
  },
  {
    from: '^apps/server/src/features/[^/]+/([^/]+)/',
    not: '^apps/server/src/features/[^/]+/(?!$1/).*\\.queries\\.ts$',
    why: 'a feature uses another through its service, never its queries',
  },

  {
    from: '^apps/web/src/ui/',
    not: '^apps/web/src/(kit|features|screens|app)/',
    why: 'how things look knows no server, address or session: what does stands in kit',
  },
  { from: '^apps/web/src/kit/', not: '^apps/web/src/(features|screens|app)/' },
  { from: '^apps/web/src/features/', not: '^apps/web/src/(screens|app)/' },
  { from: '^apps/web/src/screens/', not: '^apps/web/src/app/' },
  { from: '^apps/(web|widget)/', not: '^(apps/server|@balcao/(server|simulators))', why: 'browsers carry no server' },
]

/** `platformRows` and `withPlatform` go past row security: only here, each for its reason. */
const acrossCompanies = [
  { where: /\.loop\.ts$|\/sweep\.ts$|^apps\/server\/src\/jobs\//, why: 'loops look for what is due in every company' },
  {
    where: /\/(journal|sender|media-fetcher|auto-close|reminders|breaches|recompute|expire-ratings|push\.service)\.ts$/,
    why: 'loops, as above',
  },
  { where: /\/kit\/workers\.ts$/, why: 'asks once for all loops' },
  { where: /\/core\/directory\//, why: 'companies are read by number, for whoever asks' },
  { where: /\/voice-calls\/voice-hook\.routes\.ts$/, why: 'a hook names an account, not a company' },
  { where: /\/core\/integrations\/consent\.ts$/, why: 'who comes back from a provider names no company' },
  { where: /\/people\/auth\//, why: 'who logs in names no company yet' },
  { where: /\/people\/user-tenants\/|\/features\/platform\//, why: 'screens of the platform' },
  {
    where: /\/channels\/connections\/(config|context)\.ts$/,
    why: 'a hook names a connection or an account, not a company',
  },
  { where: /\/intake\/inbound\/(app-handshake|receive-messages|session-journal)\.ts$/, why: 'a hook, as above' },
  {
    where: /\/channels\/(sessions\/leases|connections\/owner-calls)\.ts$/,
    why: 'one process has sessions of many companies',
  },
  { where: /\/channels\/templates\/templates\.queries\.ts$/, why: 'claims of the loop beside it' },
  { where: /^apps\/server\/src\/realtime\//, why: 'one relay carries the events of every company' },
  { where: /^apps\/server\/src\/demo\//, why: 'founds the companies of the demonstration' },
]

/** A role that a company makes has no profile of its own: what one may do is asked of permissions. */
const asksProfile = /\bprofile\s*[!=]==\s*['"]|['"]\s*[!=]==\s*[\w.]*\bprofile\b|\beq\(\w+\.profile\b/

const files = filesIn('packages').concat(filesIn('apps'))
const findings = [...files.flatMap(brokenArrows), ...files.flatMap(profileQuestions), ...circles(files)]
for (const finding of findings) console.log(finding)
process.exit(findings.length ? 1 : 0)

function brokenArrows(file) {
  const targets = importsOf(file)
  const upward = targets
    .filter((target) => domainOf(target) && domainOf(file) && domainOf(target) !== domainOf(file))
    .filter((target) => (ranks[domainOf(target)] ?? 0) >= (ranks[domainOf(file)] ?? Number.POSITIVE_INFINITY))
    .map((target) => `${file} imports ${target}: a domain imports only domains of a lower rank`)
  const isAcross =
    /^apps\/server\/src\/(?!db\/)/.test(file) &&
    /\b(platformRows|withPlatform)\b/.test(fs.readFileSync(path.join(root, file), 'utf8')) &&
    !acrossCompanies.some(({ where }) => where.test(file))
  const across = isAcross ? [`${file} goes past row security: state where and why in scripts/arrows.mjs`] : []
  const broken = arrows.flatMap(({ from, not, why }) => {
    const room = new RegExp(from).exec(file)
    if (!room) return []
    const forbidden = new RegExp(not.replace(/\$(\d)/g, (_, group) => room[Number(group)]))
    return targets
      .filter((target) => forbidden.test(target))
      .map((target) => `${file} imports ${target}: ${why ?? 'imports point one way'}`)
  })
  return [...broken, ...upward, ...across]
}

/** The demonstration chooses its cast by profile. */
function profileQuestions(file) {
  if (file.startsWith('apps/server/src/demo/') || file.startsWith('packages/simulators/')) return []
  const lines = fs.readFileSync(path.join(root, file), 'utf8').split('\n')
  return lines.flatMap((line, at) =>
    asksProfile.test(line) ? [`${file}:${at + 1} asks for a profile: ask for a permission (permissions.ts)`] : [],
  )
}

function domainOf(file) {
  return /^apps\/(?:server|web)\/src\/features\/([^/]+)\/[^/]+\//.exec(file)?.[1]
}

/** Folders of features that import each other, however far round. */
function circles(files) {
  const folderOf = (file) => /^apps\/(?:server|web)\/src\/features\/.+(?=\/[^/]+$)/.exec(file)?.[0]
  const arrowsOf = new Map()
  for (const file of files) {
    const from = folderOf(file)
    if (!from) continue
    const to = importsOf(file)
      .map(folderOf)
      .filter((folder) => folder && folder !== from)
    arrowsOf.set(from, new Set([...(arrowsOf.get(from) ?? []), ...to]))
  }
  const isDone = new Set()
  const found = []
  const walk = (folder, way) => {
    if (way.includes(folder)) return found.push([...way.slice(way.indexOf(folder)), folder].join(' → '))
    if (isDone.has(folder)) return
    for (const next of arrowsOf.get(folder) ?? []) walk(next, [...way, folder])
    isDone.add(folder)
  }
  for (const folder of arrowsOf.keys()) walk(folder, [])
  return found.map((way) => `circle of folders: ${way}`)
}

/** What a file imports: our own files by their path from the root, packages by their name. */
function importsOf(file) {
  const source = fs.readFileSync(path.join(root, file), 'utf8')
  const pattern =
    /(?:^|[\s;}])(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]|(?<![.\w'"])import\s*\(?\s*['"]([^'"]+)['"]/g
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
