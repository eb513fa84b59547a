import { z } from 'zod'
import { id } from '../../common.ts'
import { metaOf } from '../../core/providers/meta.ts'
import type { Permission } from '../../permissions.ts'
import { unknownVariables } from '../../variables.ts'

/**
 * Something that can be done to a conversation by itself, as data: macros offer it, jobs over many conversations do it,
 * the form is drawn from its schema. What it does is on the server (`features/actions.ts`). Fields carry the form hints
 * of a provider's (`names`, `withVariables` among them).
 */
export type ActionDefinition<Kind extends string = string, Params extends z.ZodObject = z.ZodObject> = {
  kind: Kind
  /** What people choose: "Adicionar etiquetas". */
  label: string
  /** What a person needs for it; who is no person is granted actions by their kind. */
  can: Permission
  /** What whoever puts it together needs for it, where that is more. */
  canChoose?: Permission
  params: Params
  /** What a new one starts with, where the schema does not say. */
  blank: z.input<Params>
  /** Nothing can follow it. */
  isLast?: true
  /** The chosen values in a few words, where the fields by themselves do not say it. */
  detail?: (params: z.output<Params>, nameOf: NameOf) => string
}
export type NameOf = (id: string) => string | undefined

export const defineAction = <const Kind extends string, Params extends z.ZodObject>(
  definition: ActionDefinition<Kind, Params>,
) => definition

/** What a text of somebody who is not there says. */
export const variableText = (most: number, empty: string) =>
  z
    .string()
    .trim()
    .min(1, empty)
    .max(most)
    .superRefine((value, context) => {
      const [unknown] = unknownVariables(value)
      if (unknown) context.addIssue({ code: 'custom', message: `A variável {{${unknown}}} não existe.` })
    })

export const messageText = variableText(4_000, 'Escreva a mensagem.').meta({
  label: 'Texto',
  multiline: true,
  withVariables: true,
})
export const tagIds = z
  .array(id)
  .min(1, 'Escolha as etiquetas.')
  .max(20, 'Escolha no máximo 20 etiquetas.')
  .meta({ label: 'Etiquetas', names: 'tags' })

/** The fields of an action that name rows, and rows of what. */
export const namingFields = ({ params }: ActionDefinition) =>
  Object.entries(params.shape).flatMap(([name, schema]) => {
    const { names } = metaOf(schema)
    return names ? [{ name, names }] : []
  })
