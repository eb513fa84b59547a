import { z } from 'zod'

/** While the company asks for consent by a client it has registered itself. */
export const byOwnClient = { field: 'ownClient', is: true } as const
export const ownClientOnly = { shownWhen: byOwnClient, isNeeded: true } as const

/**
 * Off: consent is asked for in the name of the installation, and every address is the provider's own, so that neither its
 * secret nor a token leads elsewhere.
 */
export const ownClient = (withWhom: string) =>
  z
    .boolean()
    .default(true)
    .meta({
      label: 'Usar um aplicativo da sua empresa',
      help: `Desligado, basta autorizar: não é preciso registrar nada ${withWhom}.`,
    })
