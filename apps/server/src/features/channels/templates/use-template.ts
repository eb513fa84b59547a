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
import { findTemplate, type TemplateRow } from './templates.queries.ts'

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
  const shape = usableShape(stored)
  const unfilled = variableProblems(use, context)
  if (unfilled.length) throw fieldErrors(...unfilled)
  const sent = templateSent(shape, { ...use, ...filledValues(use, context) }, { fileKind, isFileOptional })
  return { ...sent, isMarketing: stored?.category === 'MARKETING' }
}

/** The parts of a stored template; throws unless there is one that may be sent now. */
export const usableShape = (stored: Pick<TemplateRow, 'status' | 'components'> | undefined): TemplateShape => {
  if (!stored) throw refused('Este modelo não existe mais neste canal. Escolha outro.')
  if (stored.status !== 'APPROVED') {
    const label = templateStatusLabels[stored.status] ?? stored.status
    throw refused(`Este modelo não pode ser enviado agora: está ${label.toLowerCase()} na Meta. Escolha outro.`)
  }
  const parsed = templateShapeOf(stored.components)
  if ('obstacle' in parsed) throw refused(parsed.obstacle)
  return parsed.shape
}

/** A template whose values are filled in, as it will be sent; throws where one does not fit. */
export const templateSent = (
  shape: TemplateShape,
  use: TemplateUse,
  { fileKind, isFileOptional }: Pick<Filling, 'fileKind' | 'isFileOptional'>,
): { template: SentTemplate; text: string } => {
  const template = { ...use, shape }
  const kind = isFileOptional && !takesFile(shape) ? null : fileKind
  const problems = templateProblems(shape, template, kind)
  if (problems.length) throw fieldErrors(...problems)
  return { template, text: templateText(shape, template) }
}

/** Its header is a picture, a video or a document. */
export const takesFile = ({ header }: TemplateShape) => header !== null && header.kind !== 'text'

const refused = (message: string) => fieldErrors({ path: 'template', message })
