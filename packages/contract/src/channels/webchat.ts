import { z } from 'zod'
import { defineChannel } from './define.ts'
import { lookShape } from './webchat-look.ts'

/** `https://loja.com.br/contato`, as it stands in a browser, is its domain. */
const hostOf = (text: string) => text.replace(/^https?:\/\//, '').replace(/[/?#].*$/, '')

const domain = z
  .string()
  .trim()
  .toLowerCase()
  .overwrite(hostOf)
  .regex(
    /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d+)?$/,
    'Informe o domínio, como loja.com.br, *.loja.com.br ou localhost:8080.',
  )

export const webchatChannel = defineChannel({
  kind: 'webchat',
  label: 'Chat do site',
  description: 'Uma janela de conversa no seu site.',
  words: 'webchat widget janela',
  glyph: {
    label: 'Chat do site',
    color: '#0b7a75',
    paths: [
      'M21 14l-3 -3h-7a1 1 0 0 1 -1 -1v-6a1 1 0 0 1 1 -1h9a1 1 0 0 1 1 1v10',
      'M14 15v2a1 1 0 0 1 -1 1h-7l-3 3v-10a1 1 0 0 1 1 -1h2',
    ],
  },
  steps: {
    after: [
      'Copie o código e cole antes de </body> em todas as páginas do site.',
      'Inclua o domínio do site em Domínios autorizados: em outros, o chat não abre.',
    ],
  },
  addresses: [
    {
      label: 'Código para o site',
      value: '<script async src="{origin}/widget.js" data-channel="{channelKey}"></script>',
      multiline: true,
    },
  ],
  settingsPage: { label: 'Aparência, textos e instalação', path: '/configuracoes/webchat?canal={id}' },
  preview: { label: 'Prévia do chat', path: '/webchat/frame?c={channelKey}' },
  identities: { webchatUser: 50, webchat: 20, phone: 100, email: 30 },
  reachedBy: {
    identities: ['webchat', 'webchatUser'],
    whenNot: 'Este contato ainda não escreveu pelo chat do site.',
  },
  abilities: () => ({
    supports: [
      'text',
      'image',
      'audio',
      'video',
      'document',
      'location',
      'contact',
      'reply',
      'edit',
      'delete',
      'buttons',
      'list',
      'typing',
      'readReceipts',
    ],
    textLimits: { text: 4_096, caption: 4_096 },
    showsAuthor: true,
  }),
  // Nobody stands in between.
  pace: { perSecond: 1_000, burst: 100 },
  streams: { everyMs: 700, readsRows: true },
  config: z.object({
    domains: z.array(domain).max(50).default([]).meta({
      label: 'Domínios autorizados',
      help: 'Um por linha, como loja.com.br ou localhost, que vale com qualquer porta. Sem nenhum, o chat não abre.',
      multiline: true,
    }),
    allowAnyDomain: z.boolean().default(false).meta({ label: 'Permitir qualquer site' }),
    ...lookShape,
    identitySecret: z.string().min(16, 'Use pelo menos 16 caracteres.').max(200).optional().meta({
      label: 'Segredo de identidade (HMAC)',
      help: 'Usado pelo seu servidor para assinar quem é o visitante, por HMAC ou por JWT HS256.',
      secret: true,
      section: 'Identidade dos visitantes',
    }),
    identityKey: z
      .string()
      .trim()
      .max(4_000)
      .regex(/^-----BEGIN PUBLIC KEY-----[\s\S]+-----END PUBLIC KEY-----$/, 'Cole a chave pública inteira, em PEM.')
      .optional()
      .meta({
        label: 'Chave pública de identidade (JWT RS256)',
        help: 'Para quem assina com chave própria: começa com -----BEGIN PUBLIC KEY-----.',
        multiline: true,
      }),
    identityAudience: z.string().trim().max(200).optional().meta({
      label: 'Público do JWT (aud)',
      help: 'O que o seu servidor escreve em aud. Vazio: a chave do canal, como aparece no código para o site.',
    }),
  }),
})

/** Whether any site may show the chat: without a domain it opens nowhere. */
export const hasWebchatSite = (config: Record<string, unknown>): boolean =>
  config.allowAnyDomain === true || (Array.isArray(config.domains) && config.domains.length > 0)
