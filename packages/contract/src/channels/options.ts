import { z } from 'zod'
import { id } from '../common.ts'
import { fieldsOf } from '../core/providers/fields.ts'
import { unknownVariables } from '../variables.ts'
import type { Abilities } from './abilities.ts'

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
  ignoreGroups: z.boolean().optional().meta({
    label: 'Ignorar grupos',
    help: 'O que se escreve em grupos não vira atendimento.',
    needs: 'groupMessages',
  }),
  rejectCalls: z
    .boolean()
    .optional()
    .meta({ label: 'Recusar ligações', help: 'Quem liga fica anotado na conversa.', needs: 'calls' }),
  callAnswer: words(1_000).optional().meta({
    label: 'Resposta a ligações',
    help: 'Enviada a quem liga e não é atendido.',
    multiline: true,
    withVariables: true,
    needs: 'calls',
  }),
  importDays: count(3_650).optional().meta({
    label: 'Importar conversas antigas (dias)',
    help: 'As mensagens destes últimos dias entram como conversas encerradas. Vazio: nenhuma.',
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
})
export type ConnectionOptions = z.output<typeof connectionOptions>

/** Those that mean something for a connection with these abilities. */
export const optionsFor = ({ supports }: Pick<Abilities, 'supports'>): z.ZodObject => {
  const known: readonly string[] = supports
  const meant = fieldsOf(connectionOptions).filter(({ needs }) => needs === undefined || known.includes(needs))
  const shape: Record<string, z.ZodType> = connectionOptions.shape
  return z.strictObject(Object.fromEntries(meant.map(({ name }) => [name, shape[name] ?? z.unknown()])))
}
