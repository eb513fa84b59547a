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
  ignoreGroups: z
    .boolean()
    .optional()
    .meta({ label: 'Ignorar grupos', help: 'O que se escreve em grupos não vira atendimento.', needs: 'groups' }),
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
})
export type ConnectionOptions = z.output<typeof connectionOptions>

/** Those that mean something for a connection with these abilities. */
export const optionsFor = ({ supports }: Pick<Abilities, 'supports'>): z.ZodObject => {
  const known: readonly string[] = supports
  const meant = fieldsOf(connectionOptions).filter(({ needs }) => needs === undefined || known.includes(needs))
  const shape: Record<string, z.ZodType> = connectionOptions.shape
  return z.strictObject(Object.fromEntries(meant.map(({ name }) => [name, shape[name] ?? z.unknown()])))
}
