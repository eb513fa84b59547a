import {
  filledValues,
  templateProblems,
  templateStatusLabels,
  templateText,
  variableProblems,
} from '@balcao/contract/channels/template-text.ts'
import type { SentTemplate, TemplateShape, TemplateUse } from '@balcao/contract/channels/templates.ts'
import type { VariableContext } from '@balcao/contract/variables.ts'
import { templateShapeOf } from '../../../channels/template-shape.ts'
import type { Tx } from '../../../db/database.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import { findTemplate } from './templates.queries.ts'

type Filling = {
  connectionId: string
  use: TemplateUse
  fileKind: string | null
  /** The file goes only where the template takes one. */
  isFileOptional?: boolean
  context: VariableContext
}
/**
 * A template as it will be sent: filled in, our variables in its values too, with what the customer reads. Refuses one
 * that is unknown here, not approved, or filled in wrongly, at the field to correct.
 */
export const fillTemplate = async (
  tx: Tx,
  { connectionId, use, fileKind, isFileOptional, context }: Filling,
): Promise<{ template: SentTemplate; text: string; isMarketing: boolean }> => {
  const stored = await findTemplate(tx, connectionId, use.name, use.language)
  if (!stored) throw refused('Este modelo não existe mais neste canal. Escolha outro.')
  if (stored.status !== 'APPROVED') {
    const label = templateStatusLabels[stored.status] ?? stored.status
    throw refused(`Este modelo não pode ser enviado agora: está ${label.toLowerCase()} na Meta. Escolha outro.`)
  }
  const parsed = templateShapeOf(stored.components)
  if ('obstacle' in parsed) throw refused(parsed.obstacle)
  const unfilled = variableProblems(use, context)
  if (unfilled.length) throw fieldErrors(...unfilled)
  const template = { ...use, ...filledValues(use, context), shape: parsed.shape }
  const kind = isFileOptional && !takesFile(parsed.shape) ? null : fileKind
  const problems = templateProblems(parsed.shape, template, kind)
  if (problems.length) throw fieldErrors(...problems)
  return { template, text: templateText(parsed.shape, template), isMarketing: stored.category === 'MARKETING' }
}

/** Its header is a picture, a video or a document. */
export const takesFile = ({ header }: TemplateShape) => header !== null && header.kind !== 'text'

const refused = (message: string) => fieldErrors({ path: 'template', message })
