import { z } from 'zod'

/** What stands for something in a signature, besides its words. */
export const signatureVariables = [
  { name: 'atendente', label: 'Nome do atendente' },
  { name: 'fila', label: 'Fila do atendimento' },
  { name: 'empresa', label: 'Nome da empresa' },
] as const
export type SignatureFacts = Record<(typeof signatureVariables)[number]['name'], string>

/** What stands below the text of an e-mail, written with marks (`htmlOfMarked`). */
export const mailSignature = z
  .string()
  .trim()
  .max(1_000, 'Use no máximo 1.000 caracteres.')
  .superRefine((text, context) => {
    const unknown = [...text.matchAll(placeholder)].find(
      ([, name]) => !signatureVariables.some((one) => one.name === name),
    )
    if (unknown) context.addIssue({ code: 'custom', message: `A variável ${unknown[0]} não existe em assinaturas.` })
  })

/** A line that holds nothing but what is not known is left out. */
export const filledSignature = (text: string, facts: SignatureFacts): string =>
  text
    .split('\n')
    .flatMap((line) => {
      const filled = line.replace(placeholder, (_, name: string) =>
        Object.hasOwn(facts, name) ? facts[name as keyof SignatureFacts] : '',
      )
      return line.trim() && !/[\p{L}\p{N}]/u.test(filled) && filled !== line ? [] : filled
    })
    .join('\n')
    .trim()

const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/g
