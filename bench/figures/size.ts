import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { atMost, rounded } from '../report.ts'

const apps = path.resolve(import.meta.dirname, '../../apps')

/** What a browser loads until the inbox can be used: the page's scripts, what they import, and the route's chunk. */
export const measureSize = async () => {
  const web = path.join(apps, 'web/dist')
  const html = read(web, 'index.html')
  const first = [...html.matchAll(/(?:src|href)="\/?(assets\/[^"]+\.js)"/g)].map(([, file]) => file ?? '')
  const route = fs.readdirSync(path.join(web, 'assets')).filter((name) => /^atendimento.*\.js$/.test(name))
  if (!route.length) throw new Error('apps/web/dist has no chunk of /atendimento: build it first (npm run build)')
  const files = withImports(web, [...first, ...route.map((name) => `assets/${name}`)])
  const largest = [...files]
    .map((file) => ({ name: path.basename(file), kB: rounded(gzipped(web, file)) }))
    .toSorted((a, b) => b.kB - a.kB)
    .slice(0, 8)
  const sizes = Object.fromEntries(largest.map(({ name, kB }) => [name, kB]))
  const css = [...html.matchAll(/href="\/?(assets\/[^"]+\.css)"/g)].reduce(
    (sum, [, file]) => sum + gzipped(web, file ?? ''),
    0,
  )
  atMost(250, {
    name: 'JavaScript to a usable inbox, gzipped',
    value: sum(web, files),
    unit: 'kB',
    compared: { files: files.size, css: rounded(css), ...sizes },
  })

  const widget = path.join(apps, 'widget/dist')
  atMost(6, { name: 'widget loader, gzipped', value: gzipped(widget, 'widget.js'), unit: 'kB' })
  const frame = [...read(widget, 'frame.html').matchAll(/(?:src|href)="\/?([^"]+\.(?:js|css))"/g)].map(
    ([, file]) => file ?? '',
  )
  atMost(70, {
    name: 'widget frame, gzipped',
    value: sum(widget, new Set(['frame.html', ...withImports(widget, frame)])),
    unit: 'kB',
  })
}

const read = (folder: string, file: string) => fs.readFileSync(path.join(folder, file), 'utf8')
const gzipped = (folder: string, file: string) =>
  gzipSync(fs.readFileSync(path.join(folder, file)), { level: 9 }).length / 1_000
const sum = (folder: string, files: Set<string>) => [...files].reduce((total, file) => total + gzipped(folder, file), 0)

/** The files and everything they import at once; what they import later (`import()`) is not waited for. */
const withImports = (folder: string, files: string[]): Set<string> => {
  const found = new Set<string>()
  const visit = (file: string) => {
    if (found.has(file)) return
    found.add(file)
    if (!file.endsWith('.js')) return
    for (const [, target = ''] of read(folder, file).matchAll(
      /(?:^|[;}\s])(?:import|export)(?:[\w*{}\s,$]+from)?\s*"(\.{1,2}\/[^"]+\.js)"/g,
    ))
      visit(path.posix.join(path.posix.dirname(file), target))
  }
  files.forEach(visit)
  return found
}
