import type { z } from 'zod'
import { defineProvider, type Provider } from '../providers/define.ts'

/** What an integration is for, as people read it. A company may have several of a family. */
export const families = {
  mail: { label: 'E-mail', description: 'Por onde saem convites, redefinições de senha e avisos.' },
  proxy: { label: 'Proxy', description: 'Por onde um canal fala com o provedor.' },
  gateway: { label: 'Servidor de canais', description: 'Onde ficam os números e contas que se conectam por ele.' },
  assistant: { label: 'Assistentes', description: 'Quem escreve, transcreve e responde com inteligência artificial.' },
  calendar: { label: 'Agenda', description: 'Onde as previsões do funil aparecem como eventos.' },
  events: { label: 'Avisos a sistemas', description: 'Quem é avisado do que acontece aqui.' },
} as const
export type Family = keyof typeof families

/** An account, beside the channels, that the product uses for the company. */
export const defineIntegration = <Kind extends string, Config extends z.ZodObject, F extends Family>(
  definition: Provider<Kind, Config> & {
    family: F
    /** It is told of events, and shows what it was not. */
    hearsEvents?: true
    /** Of a server of channels: it is one company's account, and never everybody's. */
    isOneCompanys?: true
  },
) => defineProvider(definition)
