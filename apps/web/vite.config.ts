import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build, defineConfig, type Plugin, type Rolldown } from 'vite'

const mantine = /node_modules[\\/](@mantine|@floating-ui|clsx)/
const api = process.env.API_URL ?? 'http://127.0.0.1:3000'
const targets = {
  target: 'es2022',
  cssTarget: ['chrome123', 'firefox120', 'safari17.5'], // light-dark() as written: its rewriting knows no scheme set by hand
  chunkSizeWarningLimit: 600,
}

export default defineConfig(async ({ command }) => {
  const first = command === 'build' ? await inboxModules() : new Set<string>()
  const isFirst = (id: string) => first.has(id)
  return {
    plugins: [react(), stampServiceWorker(), compressAssets()],
    server: {
      host: '127.0.0.1',
      port: 5173,
      proxy: {
        '/api': api,
        '/hooks': api,
        '/webchat': api,
        '/widget.js': api,
        '/socket.io': { target: api, ws: true },
      },
    },
    build: {
      ...targets,
      rolldownOptions: {
        output: {
          // What changes with our code is kept apart from what changes with an upgrade: a deploy costs a browser little.
          codeSplitting: {
            // What one of a group imports goes where it belongs, not along: the first screen would load it with the rest.
            includeDependenciesRecursively: false,
            groups: [
              { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/, priority: 5 },
              { name: 'data', test: /node_modules[\\/]@tanstack[\\/](query-core|react-query)/, priority: 4 },
              { name: 'mantine', test: (id: string) => isFirst(id) && mantine.test(id), priority: 3 },
              { name: 'shell', test: isFirst, minShareCount: 2, priority: 2 },
              // A screen would otherwise be a hundred files of a kilobyte or two, each with its own way there and back.
              { name: 'widgets', test: mantine, minShareCount: 5, priority: 1 },
              { name: 'common', test: /[\\/](contract|kit|ui)[\\/]|@tabler/, minShareCount: 5 },
            ],
          },
        },
      },
    },
  }
})

/**
 * What a browser needs before the inbox can be used, as the bundler sees it once what nobody uses is gone: a library's
 * index names all of it, so following imports would put every widget on the first screen.
 */
async function inboxModules() {
  const built = await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'error',
    plugins: [react()],
    build: { ...targets, write: false, minify: false },
  })
  const chunks = new Map<string, Rolldown.OutputChunk>()
  for (const part of [built].flat().flatMap((each) => ('output' in each ? each.output : [])))
    if (part.type === 'chunk') chunks.set(part.fileName, part)
  const needed = new Set(
    [...chunks.values()].filter((chunk) => chunk.isEntry || chunk.facadeModuleId?.endsWith('/atendimento-screen.tsx')),
  )
  for (const chunk of needed)
    for (const name of chunk.imports) {
      const next = chunks.get(name)
      if (next) needed.add(next)
    }
  return new Set([...needed].flatMap((chunk) => chunk.moduleIds))
}

/** Gives every build its own service worker, so that browsers notice the new version. */
function stampServiceWorker(): Plugin {
  return {
    name: 'balcao:service-worker',
    apply: 'build',
    writeBundle({ dir = 'dist' }, bundle) {
      const build = createHash('sha256').update(Object.keys(bundle).sort().join()).digest('hex').slice(0, 12)
      const path = join(dir, 'sw.js')
      writeFileSync(path, readFileSync(path, 'utf8').replace('__BUILD__', build))
    },
  }
}

/** Compressed copies beside the assets: the server sends them as they are. */
function compressAssets(): Plugin {
  return {
    name: 'balcao:compress',
    apply: 'build',
    async closeBundle() {
      const folder = 'dist/assets'
      const names = readdirSync(folder).filter((name) => /\.(js|css)$/.test(name))
      const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
      for (const name of names) {
        const content = readFileSync(join(folder, name))
        if (content.length < 1_000) continue
        writeFileSync(join(folder, `${name}.gz`), await promisify(gzip)(content, { level: 9 }))
        writeFileSync(join(folder, `${name}.br`), await promisify(brotliCompress)(content, fast))
      }
    },
  }
}
