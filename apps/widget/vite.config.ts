import { gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

/**
 * Three builds into one `dist`: the chat itself (`frame.html` + `webchat/assets/*`); with `--mode loader` the script that
 * customers paste in their sites (`widget.js`); with `--mode offers` what decides when a message offers itself there
 * (`offers.js`). Each prints its weight and fails above its budget.
 */
export default defineConfig(({ mode }) => ({ loader: loaderBuild, offers: offersBuild })[mode] ?? frameBuild)

const TARGET = ['es2020', 'chrome87', 'firefox90', 'safari14']

const loaderBuild = defineConfig({
  publicDir: false,
  build: {
    target: TARGET,
    emptyOutDir: false,
    modulePreload: false,
    rolldownOptions: {
      input: 'src/loader.ts',
      output: { format: 'iife', entryFileNames: 'widget.js' },
    },
  },
  plugins: [tightStyles(), weightBudget('widget.js', 6)],
})

const offersBuild = defineConfig({
  publicDir: false,
  build: {
    target: TARGET,
    emptyOutDir: false,
    modulePreload: false,
    rolldownOptions: {
      input: 'src/offers.ts',
      preserveEntrySignatures: 'strict',
      output: { format: 'iife', name: 'balcaoOffers', exports: 'default', entryFileNames: 'offers.js' },
    },
  },
  plugins: [weightBudget('offers.js', 2)],
})

const frameBuild = defineConfig({
  base: '/',
  publicDir: false,
  build: {
    target: TARGET,
    assetsDir: 'webchat/assets',
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: { input: 'frame.html' },
  },
  plugins: [weightBudget('frame', 70)],
})

/** The launcher's styles are a text to the minifier. */
function tightStyles(): Plugin {
  return {
    name: 'tight-styles',
    transform: (code, id) =>
      id.endsWith('.css.ts')
        ? code.replace(/`[^`]+`/g, (css) =>
            css.replace(/\s+/g, ' ').replace(/ ?([{};,]) ?|: /g, (all, end) => end ?? all.trim()),
          )
        : undefined,
  }
}

function weightBudget(label: string, limitKb: number): Plugin {
  return {
    name: 'weight-budget',
    writeBundle(_options, bundle) {
      const gzipBytes = Object.values(bundle).reduce(
        (sum, file) => sum + gzipSync(file.type === 'chunk' ? file.code : file.source).length,
        0,
      )
      const verdict = `${label}: ${(gzipBytes / 1000).toFixed(1)} kB gzip of ${limitKb} kB`
      if (gzipBytes > limitKb * 1000) this.error(`${verdict}: over budget`)
      this.info(verdict)
    },
  }
}
