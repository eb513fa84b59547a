import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyError } from 'fastify'
import { loginPublicKey } from './features/people/auth/login-key.ts'
import { isInstalled } from './features/platform/setup/setup.ts'
import { AppError } from './kit/errors.ts'
import { type App, everyRoutePublic } from './kit/http.ts'

const builtWeb = fileURLToPath(new URL('../../web/dist/', import.meta.url))

/** Serves the built web app: hashed assets for ever, `index.html` with the login key inside for every other path. */
export const serveWeb = async (app: App, webDist = builtWeb) => {
  const index = `${webDist}index.html`
  if (existsSync(index)) {
    await app.register(async (scope) => {
      everyRoutePublic(scope)
      // It was there when it was looked for and gone when it was opened: the app is being built anew.
      scope.setErrorHandler<FastifyError>((error, _request, reply) => {
        for (const name of headersOfFile) reply.removeHeader(name)
        const isRefused = (error.statusCode ?? 500) < 500 // an address that leads out of the folder
        throw error.code === 'ENOENT' || isRefused ? new AppError('ERR_NOT_FOUND') : error
      })
      const files = { index: false, preCompressed: true, cacheControl: false, decorateReply: false } as const
      // One route for the hundreds of them: a route each took a good part of a start.
      await scope.register(fastifyStatic, {
        ...files,
        root: `${webDist}assets`,
        prefix: '/assets/',
        setHeaders: (reply) => reply.header('cache-control', 'public, max-age=31536000, immutable'),
      })
      await scope.register(fastifyStatic, {
        ...files,
        root: webDist,
        wildcard: false,
        globIgnore: ['index.html', 'assets/**'],
        setHeaders: (reply) => reply.header('cache-control', 'no-cache'),
      })
    })
  }
  const page = existsSync(index) ? withHead(readFileSync(index, 'utf8')) : undefined
  const etag = page && `"${createHash('sha256').update(page).digest('base64url').slice(0, 20)}"`

  let hasAccount = false // once so, it stays so
  app.setNotFoundHandler({}, async (request, reply) => {
    const isPage =
      request.method === 'GET' &&
      !/^\/(api|hooks|webchat|socket\.io|media)(\/|$)/.test(request.url) &&
      !/\.[a-z][a-z\d]{1,11}$/.test(request.url.split('?')[0] ?? '') // a missing file; the token of /reset has a point too
    if (!isPage || !page) throw new AppError('ERR_NOT_FOUND')
    hasAccount ||= await isInstalled()
    if (!hasAccount && !isSetupPage(request.url)) {
      const asked = new URL(request.url, 'http://any').searchParams.get('tokenSetup')
      const query = asked ? `?tokenSetup=${encodeURIComponent(asked)}` : ''
      return reply.header('cache-control', 'no-store').redirect(`/masterkey${query}`)
    }
    reply.header('cache-control', 'no-cache').header('etag', etag)
    if (/^\/(protocolo|proposta)\//.test(request.url)) reply.header('x-robots-tag', 'noindex')
    if (request.headers['if-none-match'] === etag) return reply.status(304).send()
    return reply.type('text/html; charset=utf-8').send(page)
  })
}

const isSetupPage = (url: string) => /^\/masterkey\/?(\?|$)/.test(url)

const headersOfFile = ['content-type', 'content-encoding', 'cache-control', 'etag', 'last-modified', 'accept-ranges']

/** The built-in fallback of the login key. */
const withHead = (html: string) =>
  html.replace('<!--balcao-head-->', `<meta name="balcao-key" content="${loginPublicKey()}">`)
