import { AppError } from '../../kit/errors.ts'
import { type ChannelContext, ChannelError, type MailServer } from '../adapter.ts'

export type Context = ChannelContext<'email'>

/** What opens the mailbox: a password, or the token of an account whose owner has consented. */
export type Proof = { user: string } & ({ pass: string; accessToken?: never } | { accessToken: string; pass?: never })

/** The server a mailbox is read from, or sends by. */
export const serverOf = ({ config, account }: Context, way: 'imap' | 'smtp'): MailServer => {
  if (config.login === 'account') {
    if (!account) throw noAccount('A conta autorizada deste canal não existe mais.')
    return account[way]
  }
  const host = config[`${way}Host`]
  if (!host) throw noAccount('Falta o servidor da caixa de e-mail.')
  return { host, port: config[`${way}Port`], security: config[`${way}Security`] }
}

export const proofOf = async ({ config, account }: Context): Promise<Proof> => {
  const { address, user, password = '' } = config
  if (config.login === 'password') return { user: user || address, pass: password }
  try {
    return { user: address, accessToken: (await account?.accessToken()) ?? '' }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'ERR_OAUTH_REFUSED')
      throw new ChannelError('retry', 'O provedor da conta de e-mail não respondeu.', {
        forAdmin: { text: 'O provedor não renovou a autorização da conta. Tentamos de novo em instantes.' },
      })
    if (error.code === 'ERR_NO_OAUTH_CLIENT')
      throw new ChannelError('final', 'A caixa de e-mail não está acessível.', {
        isConnectionBroken: true,
        forAdmin: { text: error.message },
      })
    throw noAccount(
      error.code === 'ERR_NOT_AUTHORIZED_YET'
        ? 'A conta deste canal ainda não foi autorizada.'
        : 'A autorização da conta deste canal foi retirada ou venceu.',
    )
  }
}

const noAccount = (why: string) =>
  new ChannelError('final', 'A caixa de e-mail não está acessível.', {
    isConnectionBroken: true,
    forAdmin: { text: `${why} Em Configurações, Integrações, abra a conta e toque em Autorizar.` },
  })
