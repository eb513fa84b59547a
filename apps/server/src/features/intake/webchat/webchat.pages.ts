import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { siteLook } from '@balcao/contract/channels/webchat-look.ts'
import fastifyStatic from '@fastify/static'
import { z } from 'zod'
import { env } from '../../../env.ts'
import { framePolicy, policyText } from '../../../kit/content-security.ts'
import { AppError } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { longestDraft, withDraft } from './look-draft.ts'
import { findWebchat, frameAncestors, isOnline, type Webchat } from './site.ts'

const dist = fileURLToPath(new URL('../../../../../widget/dist/', import.meta.url))

/** The loader, the window's page and its assets: the only part of the product other sites may show in a frame. */
export const webchatPages: Routes = (app) => {
  app.register(fastifyStatic, { root: dist, serve: false })
  app.get(
    '/widget.js',
    { config: { public: true, summary: 'Carregar o chat do site', isHidden: true } },
    async (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=300')
        .header('cross-origin-resource-policy', 'cross-origin')
        .sendFile('widget.js', dist),
  )
  app.get(
    '/webchat/site.js',
    {
      config: { public: true, summary: 'Carregar o que um chat do site mostra nele', isHidden: true },
      schema: {
        querystring: z.object({
          c: z.string().max(80),
          l: z.string().max(20).optional(),
          p: z.string().max(longestDraft).optional(),
        }),
      },
    },
    async (request, reply) => {
      const { c: channelKey, l: language, p: draft } = request.query
      const webchat = await findWebchat({ channelKey })
      if (!webchat) throw new AppError('ERR_NOT_FOUND')
      return reply
        .header('cache-control', draft ? 'no-store' : 'public, max-age=60')
        .header('cross-origin-resource-policy', 'cross-origin')
        .type('text/javascript; charset=utf-8')
        .send(await siteScript(withDraft(webchat, draft), language))
    },
  )
  app.get(
    '/webchat/assets/*',
    {
      config: { public: true, summary: 'Carregar um arquivo do chat do site', isHidden: true },
      schema: { params: z.object({ '*': z.string() }) },
    },
    async (request, reply) => {
      const name = request.params['*']
      if (!/^[\w-]+(\.[\w-]+)+$/.test(name)) throw new AppError('ERR_NOT_FOUND')
      return reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .sendFile(`webchat/assets/${name}`, dist)
    },
  )
  app.get(
    '/webchat/frame',
    {
      config: { public: true, summary: 'Abrir a janela do chat do site', isHidden: true },
      schema: { querystring: z.object({ c: z.string().max(80), o: z.string().max(300).optional() }) },
    },
    async (request, reply) => {
      const webchat = await findWebchat({ channelKey: request.query.c })
      if (!webchat || !existsSync(`${dist}frame.html`)) throw new AppError('ERR_NOT_FOUND')
      return reply
        .removeHeader('x-frame-options')
        .header(
          'content-security-policy',
          policyText(framePolicy({ publicUrl: env.PUBLIC_URL }, frameAncestors(webchat.config))),
        )
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('cache-control', 'no-cache')
        .sendFile('frame.html', dist)
    },
  )
}

/**
 * A script and no answer to a request: the site's policy, which lets the loader in, needs nothing more for it. What decides
 * when a message is offered comes along only where there is one.
 */
const siteScript = async (webchat: Webchat, language: string | undefined) => {
  const look = siteLook(webchat.config, { wanted: language, isOnline: await isOnline(webchat.tenantId) })
  const told = JSON.stringify(look).replace(/[\u2028\u2029]/g, (end) => `\\u${end.charCodeAt(0).toString(16)}`)
  if (look.offers.length === 0) return `Balcao('site',${told})`
  offersCode ??= await readFile(`${dist}offers.js`, 'utf8')
  return `(()=>{${offersCode}\nBalcao('site',${told},balcaoOffers)})()`
}
let offersCode: string | undefined
