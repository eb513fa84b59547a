import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { z } from 'zod'
import { env } from '../../../env.ts'
import { framePolicy, policyText } from '../../../kit/content-security.ts'
import { AppError } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { findWebchat, frameAncestors } from './site.ts'

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
