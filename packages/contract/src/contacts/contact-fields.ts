import { z } from 'zod'
import { resource, rowMeta } from '../resource.ts'

export const contactFieldTypes = ['text', 'number', 'date', 'list', 'boolean'] as const
export type ContactFieldType = (typeof contactFieldTypes)[number]
export const contactFieldTypeLabels: Record<ContactFieldType, string> = {
  text: 'Texto',
  number: 'Número',
  date: 'Data',
  list: 'Lista de opções',
  boolean: 'Sim ou não',
}

const contactFieldWrite = z.object({
  name: z.string().trim().min(1, 'Informe o nome.').max(60, 'Use no máximo 60 caracteres.'),
  /** The name in `contact.extraInfo`, and so in `{{extra.<key>}}`. */
  key: z
    .string()
    .trim()
    .min(1, 'Informe a chave.')
    .max(60, 'Use no máximo 60 caracteres.')
    .regex(/^[^{}]+$/, 'A chave não pode ter { nem }.'),
  type: z.enum(contactFieldTypes).default('text'),
  options: z
    .array(z.string().trim().min(1, 'Informe a opção.').max(100, 'Use no máximo 100 caracteres.'))
    .max(100, 'Use no máximo 100 opções.')
    .default([]),
})
export const contactField = rowMeta.extend(contactFieldWrite.shape)
export type ContactField = z.output<typeof contactField>

export const contactFieldResource = resource({
  path: '/contactFields',
  event: 'contactField',
  label: { one: 'Campo personalizado', many: 'Campos personalizados' },
  row: contactField,
  write: contactFieldWrite,
  fields: { name: 'Nome', key: 'Chave', type: 'Tipo', options: 'Opções' },
  sort: ['name', 'createdAt', 'updatedAt'],
  can: { read: 'contacts.read', write: 'settings.write' },
})

/** A list without options offers nothing; both sides call it after the schema. */
export const contactFieldProblems = (field: Pick<ContactField, 'type' | 'options'>) => {
  if (field.type !== 'list') return []
  if (field.options.length === 0) return [{ path: 'options', message: 'Informe pelo menos uma opção.' }]
  const isRepeated = new Set(field.options.map((one) => one.toLowerCase())).size < field.options.length
  return isRepeated ? [{ path: 'options', message: 'Há opções repetidas.' }] : []
}

export const yes = 'Sim'
export const no = 'Não'

/**
 * Why this text is no value of the field; undefined when it is, or is empty. A number is written with a comma, a date
 * as `2026-11-18`: what is stored is also what a message shows, but for the date, which `fillVariables` turns around.
 */
export const valueProblem = (
  field: Pick<ContactField, 'type'> & { options: readonly string[] },
  value: string,
): string | undefined => {
  if (!value) return undefined
  switch (field.type) {
    case 'text':
      return undefined
    case 'number':
      return /^-?\d{1,15}(,\d{1,6})?$/.test(value) ? undefined : 'Informe um número, como 1234,5.'
    case 'date':
      return z.iso.date().safeParse(value).success ? undefined : 'Informe uma data válida.'
    case 'list':
      return field.options.includes(value) ? undefined : 'Escolha uma das opções.'
    case 'boolean':
      return value === yes || value === no ? undefined : 'Escolha Sim ou Não.'
  }
}
