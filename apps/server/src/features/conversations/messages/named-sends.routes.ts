import { id } from '@balcao/contract/common.ts'
import { message, messageSend } from '@balcao/contract/conversations/messages.ts'
import { namedSends } from '@balcao/contract/conversations/named-sends.ts'
import { v7 } from 'uuid'
import { z } from 'zod'
import type { Actor } from '../../../kit/actor.ts'
import type { Routes } from '../../../kit/http.ts'
import { fileFromUrl } from './file-from-url.ts'
import { reactToMessage } from './message-actions.ts'
import { sendMessage } from './send-message.ts'
import { sendToNumber } from './send-to-number.ts'

const params = z.object({ id })
const config = (summary: string) => ({
  can: 'messages.write' as const,
  summary,
  errors: [
    'ERR_INVALID_TRANSITION' as const,
    'ERR_NO_TICKET_FOUND' as const,
    'ERR_NO_WAPP_FOUND' as const,
    'ERR_OTHER_OPEN_TICKET' as const,
    'ERR_WINDOW_CLOSED' as const,
  ],
})

/** Sends of an official number by the names that other programs know them by: the same sending as every other. */
export const namedSendRoutes: Routes = (app) => {
  const send = <T extends z.ZodType<{ ticketId?: string; number?: string; id?: string }>>(
    name: string,
    summary: string,
    schema: T,
    asMessage: (given: Omit<z.output<T>, 'ticketId' | 'number' | 'id'>, actor: Actor) => object | Promise<object>,
  ) => {
    app.post(
      `/wabameta${name}/:id`,
      { config: config(summary), schema: { params, body: schema, response: { 200: message } } },
      async ({ actor, params, body }) => {
        const { ticketId, number, id: messageId = v7(), ...given } = body as z.output<T>
        const said = { id: messageId, ...(await asMessage(given, actor)) }
        const connectionId = params.id
        if (number) return sendToNumber(actor, { connectionId, number }, messageSend.parse(said))
        const way = { whatsappId: connectionId }
        return sendMessage(actor, ticketId ?? '', messageSend.parse({ ...said, way }))
      },
    )
  }
  const asks = (kind: string, { body, ...rest }: { body: string }) => ({
    type: 'buttons',
    body,
    interactive: { kind, ...rest },
  })

  send('Text', 'Enviar um texto por um número oficial', namedSends.Text, (given) => given)
  for (const [name, what] of [
    ['TemplateText', 'um modelo aprovado de texto'],
    ['TemplateComponents', 'um modelo aprovado com componentes'],
    ['TemplateTest', 'um modelo aprovado para teste'],
  ] as const)
    send(name, `Enviar ${what} por um número oficial`, namedSends.Template, (given) => ({ type: 'template', ...given }))
  send('File', 'Enviar um arquivo guardado por um número oficial', namedSends.File, (given) => given)
  send(
    'FileUrl',
    'Enviar um arquivo de um endereço por um número oficial',
    namedSends.FileUrl,
    async ({ url, ...given }, actor) => ({ ...given, mediaId: await fileFromUrl(actor, url) }),
  )
  send('Sticker', 'Enviar uma figurinha por um número oficial', namedSends.Sticker, (given) => ({
    type: 'sticker',
    ...given,
  }))
  for (const [name, what] of [
    ['Button', 'botões'],
    ['ReplyButtons', 'botões de resposta'],
  ] as const)
    send(name, `Enviar ${what} por um número oficial`, namedSends.Buttons, (given) => asks('buttons', given))
  send('List', 'Enviar uma lista por um número oficial', namedSends.List, (given) => asks('list', given))
  send('CTAURL', 'Enviar um botão com link por um número oficial', namedSends.CTAURL, (given) => asks('link', given))
  send('Flow', 'Enviar um formulário por um número oficial', namedSends.Flow, (given) => asks('form', given))
  send('Address', 'Pedir o endereço por um número oficial', namedSends.Address, (given) => asks('address', given))
  send('Location', 'Enviar uma localização por um número oficial', namedSends.Location, (given) => ({
    type: 'location',
    ...given,
  }))
  send('LocationRequest', 'Pedir a localização por um número oficial', namedSends.LocationRequest, (given) =>
    asks('place', given),
  )
  app.post(
    '/wabametaReaction/:id',
    {
      config: config('Reagir a uma mensagem por um número oficial'),
      schema: { params, body: namedSends.Reaction, response: { 200: message } },
    },
    ({ actor, body }) => reactToMessage(actor, body),
  )
}
