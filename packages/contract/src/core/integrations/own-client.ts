import { z } from 'zod'

/** While the company asks for consent by a client it has registered itself. */
export const byOwnClient = { field: 'ownClient', is: true } as const
const ownClientOnly = { shownWhen: byOwnClient, isNeeded: true } as const
const url = z.url('Endereço inválido.')

/**
 * The fields consent by OAuth is asked for with. `ownClient` off: it is asked for in the name of the installation, and every
 * address is the provider's own, so that neither its secret nor a token leads elsewhere.
 */
export const ownClientFields = (owner: {
  withWhom: string
  clientId: { label: string; section: string; link: { label: string; url: string } }
  clientSecret: { label: string; whenShort: string }
  authorizeUrl: { at: string; help: string }
  tokenUrl: string
}) => ({
  ownClient: z
    .boolean()
    .default(true)
    .meta({
      label: 'Usar um aplicativo da sua empresa',
      help: `Desligado, basta autorizar: não é preciso registrar nada ${owner.withWhom}.`,
    }),
  clientId: z
    .string()
    .trim()
    .min(10, 'Cole o ID completo.')
    .max(300)
    .optional()
    .meta({ ...ownClientOnly, ...owner.clientId }),
  clientSecret: z
    .string()
    .trim()
    .min(10, owner.clientSecret.whenShort)
    .max(300)
    .optional()
    .meta({ ...ownClientOnly, label: owner.clientSecret.label, secret: true }),
  authorizeUrl: url.default(owner.authorizeUrl.at).meta({
    shownWhen: byOwnClient,
    label: 'Endereço de autorização',
    is: 'url',
    section: 'Endereços',
    help: owner.authorizeUrl.help,
  }),
  tokenUrl: url.default(owner.tokenUrl).meta({ shownWhen: byOwnClient, label: 'Endereço dos tokens', is: 'url' }),
})
