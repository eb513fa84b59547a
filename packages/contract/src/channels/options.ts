import { z } from 'zod'
import { id } from '../common.ts'
import { mailSignature } from '../conversations/mail-signature.ts'
import { metaOf } from '../core/providers/meta.ts'
import type { TenantSettings } from '../people/settings.ts'
import { unknownVariables } from '../variables.ts'
import type { Abilities } from './abilities.ts'
import { templateUse } from './templates.ts'

const words = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .superRefine((text, context) => {
      const [unknown] = unknownVariables(text)
      if (unknown) context.addIssue({ code: 'custom', message: `A variável {{${unknown}}} não existe.` })
    })
const hour = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use o formato 22:00.')
const day = z.iso.date('Informe uma data.')
const count = (most: number) => z.int('Informe um número inteiro.').min(1).max(most)

/**
 * How a company wants one of its connections to behave, whatever its provider: what is left out takes its usual course.
 * A field that names an ability is there for connections that have it.
 */
export const connectionOptions = z.object({
  userId: id.optional().meta({
    section: 'Novos atendimentos',
    label: 'Atendente inicial',
    help: 'Recebe os novos atendimentos deste canal; os da carteira de alguém vão para a carteira.',
    names: 'people',
  }),
  greeting: words(1_000).optional().meta({
    label: 'Saudação',
    help: 'Enviada quando o cliente começa um atendimento. Vazia: nada é enviado.',
    multiline: true,
    withVariables: true,
  }),
  chatFlowId: id.optional().meta({
    label: 'Fluxo inicial',
    help: 'Atende quem começa um atendimento por este canal. Vazio: o da fila, ou o da empresa.',
    names: 'flows',
  }),
  mailSignature: mailSignature.optional().meta({
    section: 'Assinatura',
    label: 'Assinatura dos e-mails',
    help: 'Vai abaixo do texto quando nem o atendente nem a fila têm a sua. Use {{atendente}}, {{fila}} e {{empresa}}, *negrito* e _itálico_.',
    multiline: true,
    needs: 'mail',
  }),
  ignoreGroups: z.boolean().optional().meta({
    section: 'Grupos',
    label: 'Ignorar grupos',
    help: 'O que se escreve em grupos não vira atendimento.',
    needs: 'groupMessages',
    follows: 'ignoreGroupMsg',
  }),
  onlyMentioned: z.boolean().optional().meta({
    label: 'Grupos só quando formos mencionados',
    help: 'A conversa do grupo fica em Pausados, sem avisar ninguém, até que mencionem este número ou respondam a uma mensagem nossa. Depois de encerrada, volta a esperar.',
    needs: 'groupMessages',
  }),
  ignoreStories: z.boolean().optional().meta({
    section: 'Stories',
    label: 'Ignorar stories',
    help: 'Menções em stories e respostas aos seus não viram atendimento.',
    needs: 'stories',
    follows: 'ignorarStories',
  }),
  rejectCalls: z.boolean().optional().meta({
    section: 'Ligações',
    label: 'Recusar ligações',
    help: 'Quem liga fica anotado na conversa.',
    needs: 'calls',
    follows: 'rejectCalls',
  }),
  callAnswer: words(1_000).optional().meta({
    label: 'Resposta a ligações',
    help: 'Enviada a quem liga e não é atendido. Vazia: a da empresa, se houver uma.',
    multiline: true,
    withVariables: true,
    needs: 'calls',
    follows: 'callRejectMessage',
  }),
  importFrom: day.optional().meta({
    section: 'Conversas antigas',
    label: 'Importar desde',
    help: 'Quando o telefone se conecta, o que se conversou desde este dia entra na data em que foi dito, sem avisos. Vazio: nada.',
    needs: 'history',
    is: 'date',
  }),
  importUntil: day.optional().meta({ label: 'Importar até', help: 'Vazio: até hoje.', needs: 'history', is: 'date' }),
  importGroups: z.boolean().optional().meta({ label: 'Importar também os grupos', needs: 'history' }),
  importQueueId: id.optional().meta({
    label: 'Fila das conversas importadas',
    help: 'Vazia: a fila inicial do canal.',
    needs: 'history',
    names: 'queues',
  }),
  importOpen: z.boolean().optional().meta({
    label: 'Deixar as conversas importadas aguardando',
    help: 'Desligado, elas entram encerradas.',
    needs: 'history',
  }),
  restSeconds: count(3_600).optional().meta({
    section: 'Ritmo de envio',
    label: 'Intervalo entre mensagens (segundos)',
    help: 'Vazio: tão rápido quanto o canal permite.',
    needs: 'mass',
  }),
  restVaries: z.int('Informe um número inteiro.').min(0).max(90, 'No máximo 90.').optional().meta({
    label: 'Variação do intervalo (%)',
    help: 'Com 50, um intervalo de 10 segundos fica entre 5 e 15.',
    needs: 'mass',
  }),
  pairSeconds: count(3_600).optional().meta({
    label: 'Intervalo para o mesmo contato (segundos)',
    help: 'Entre duas mensagens para a mesma pessoa. Vazio: nenhum.',
    needs: 'mass',
  }),
  dailyMost: count(1_000_000).optional().meta({
    section: 'Envios em massa',
    label: 'Máximo por dia',
    help: 'Quando o canal enviou tantas mensagens no dia, o resto espera o dia seguinte. Respostas nunca esperam.',
    needs: 'mass',
  }),
  warmUpFirst: count(100_000).optional().meta({
    label: 'Aquecimento: máximo no primeiro dia',
    help: 'Para um número novo: começa com tantas e a cada dia pode metade a mais.',
    needs: 'mass',
  }),
  quietFrom: hour.optional().meta({
    label: 'Silêncio a partir de',
    help: 'Entre as duas horas nada é enviado em massa.',
    placeholder: '22:00',
    needs: 'mass',
  }),
  quietUntil: hour.optional().meta({ label: 'Silêncio até', placeholder: '08:00', needs: 'mass' }),
  birthday: z.boolean().optional().meta({
    section: 'Aniversários',
    label: 'Parabenizar os aniversariantes',
    help: 'Todo dia, a quem conversa por este canal e faz anos; cada contato uma vez por ano. Quem pediu para não receber campanhas não recebe.',
    needs: 'mass',
  }),
  birthdayHour: hour.optional().meta({
    label: 'Hora dos parabéns',
    help: 'Vazia: 09:00. Ligado depois desta hora, os de hoje recebem em seguida.',
    placeholder: '09:00',
    needs: 'mass',
  }),
  birthdayMessage: words(1_000).optional().meta({
    label: 'Mensagem de parabéns',
    help: 'Vazia: a que vem de fábrica. A imagem e, onde o canal pede, o modelo se escolhem em Aniversários.',
    multiline: true,
    withVariables: true,
    needs: 'mass',
  }),
  birthdayMediaId: id.optional().meta({ label: 'Imagem dos parabéns', isHidden: true, needs: 'mass' }),
  birthdayTemplate: templateUse.optional().meta({ label: 'Modelo dos parabéns', isHidden: true, needs: 'mass' }),
})
export type ConnectionOptions = z.output<typeof connectionOptions>

type CompanyWide = Pick<TenantSettings, 'ignoreGroupMsg' | 'ignorarStories' | 'rejectCalls' | 'callRejectMessage'>
/** How a connection behaves: as it says itself, else as its company does. */
export const behaviourOf = (options: ConnectionOptions, company: CompanyWide) => ({
  ignoreGroups: options.ignoreGroups ?? company.ignoreGroupMsg,
  ignoreStories: options.ignoreStories ?? company.ignorarStories,
  rejectCalls: options.rejectCalls ?? company.rejectCalls,
  callAnswer: options.callAnswer || company.callRejectMessage,
})

/** Those that mean something for a connection with these abilities. */
export const optionsFor = ({ supports }: Pick<Abilities, 'supports'>): z.ZodObject => {
  const known: readonly string[] = supports
  const meant = Object.entries(connectionOptions.shape).filter(([, schema]) => {
    const { needs } = metaOf(schema)
    return needs === undefined || known.includes(needs)
  })
  return z.strictObject(Object.fromEntries(meant))
}
