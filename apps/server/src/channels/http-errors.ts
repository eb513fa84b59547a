import { EgressError } from '../kit/egress.ts'
import { AppError } from '../kit/errors.ts'
import { ChannelError, type Outbound } from './adapter.ts'

/**
 * The provider did not answer: before anything left us it may be tried again; afterwards nobody knows, so it is not.
 * `isHarmless` calls (reads, typing) may always be tried again.
 */
export const noAnswer = (error: unknown, isHarmless = false): ChannelError => {
  if (error instanceof ChannelError) return error
  if (error instanceof AppError) return new ChannelError('final', error.message, { isConnectionBroken: true })
  if (error instanceof EgressError && error.isTooLarge && isHarmless)
    return new ChannelError('final', 'O arquivo é grande demais para ser recebido aqui. Veja-o no aplicativo do canal.')
  if (error instanceof EgressError && (isHarmless || !error.wasSent)) {
    return new ChannelError('retry', 'O provedor não respondeu.', {
      forAdmin: {
        text: error.isByProxy
          ? 'O provedor não respondeu pelo proxy deste canal. Teste-o em Configurações, Proxies: sem ele nada sai.'
          : 'O provedor não respondeu. Confira se este servidor tem acesso à internet e teste de novo.',
      },
    })
  }
  return unclear('O provedor não confirmou o envio.')
}

export const unclear = (what: string) =>
  new ChannelError('uncertain', `${what} Entrega incerta: confira com o cliente antes de tentar de novo.`)

/**
 * An error without a word of the provider's own: a gateway in front of it speaks. Only 429 and 503 say that the call
 * went no further; after any other 5xx a send may have been accepted. Undefined below 500.
 */
export const gatewayError = (status: number, isHarmless: boolean, retryAfterMs?: number): ChannelError | undefined => {
  if (status === 429 || status === 503 || (isHarmless && status >= 500)) {
    const said = status === 429 ? 'O provedor pediu para enviar mais devagar.' : 'O provedor está instável.'
    return new ChannelError('retry', said, { retryAfterMs })
  }
  return status >= 500 ? unclear('O provedor falhou durante o envio.') : undefined
}

/** What a provider says, without what opens it there: some repeat what they refuse. */
export const unsaid = (words: string, config: object): string =>
  Object.values(config).reduce<string>(
    (said, value) => (typeof value === 'string' && value.length >= 4 ? said.replaceAll(value, '…') : said),
    words,
  )

/** `Retry-After` in milliseconds, seconds form only. */
export const retryAfterMs = (headers: Record<string, string>): number | undefined => {
  const seconds = Number(headers['retry-after'])
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 3_600) * 1_000 : undefined
}

/** The file of a message to send; without it nothing was sent, and nothing ever will be. */
export const fileOf = async (message: Outbound): Promise<{ file: Blob; name: string; mime: string }> => {
  const { media } = message
  const bytes = await media?.bytes().catch(() => undefined)
  if (!media || !bytes) throw new ChannelError('final', 'O arquivo desta mensagem não existe mais.')
  const mime = media.mime === 'audio/ogg' && isOpus(bytes) ? 'audio/ogg; codecs=opus' : media.mime
  return { file: new Blob([new Uint8Array(bytes)], { type: mime }), name: media.name, mime }
}

/** Files are kept without their codec; a voice message has to name it. */
const isOpus = (ogg: Buffer) => ogg.subarray(0, 64).includes('OpusHead')
