import type { FieldProblem } from '@balcao/contract/errors.ts'
import { oneNamed, type Resource } from '@balcao/contract/resource.ts'
import pg from 'pg'
import { AppError, fieldErrors } from './errors.ts'

type Meaning = {
  /** The form's fields; the first is what a row is called by. */
  fields?: readonly string[]
  /** What the row is to people. */
  thing?: Resource['label']
}

const fieldWords: Partial<Record<string, string>> = { name: 'este nome', key: 'este atalho' }

/**
 * What a refusal of the database means to a person: a taken value, a reference to what is not there, a row still in
 * use. Anything else comes back as it is. Under row-level security PostgreSQL names no column, so the constraint's
 * name tells: `tags_name`, `quick_messages_tenant_id_queue_id_queues_…_fk`.
 */
export const databaseProblem = (error: unknown, { fields = [], thing }: Meaning = {}): unknown => {
  const cause = causeOf(error)
  if (!cause) return error
  const { code = '', constraint = '', table = '', detail = '' } = cause

  if (code === '23505') {
    const field = camel(constraint.replace(`${table}_`, ''))
    const path = fields.includes(field) ? field : (fields[0] ?? '')
    if (!thing) return new AppError('ERR_DUPLICATED')
    const named = oneNamed(thing)
    const message = `Já existe ${named} com ${fieldWords[path] ?? 'este valor'}.`
    return new AppError('ERR_DUPLICATED', { message, details: [{ path, message }] })
  }
  if (code === '23503' && detail.includes('not present')) {
    const path = camel(columnOf(constraint))
    return fieldErrors({ path, message: 'O que foi escolhido não existe mais. Escolha de novo.' })
  }
  if (stillUsing(error)) return new AppError('ERR_IN_USE')
  const unfit = unfitData(error)
  return unfit ? fieldErrors(unfit) : error
}

/** What still points to a row that was to be deleted. */
export const stillUsing = (error: unknown): { table: string; column: string } | undefined => {
  const { code, constraint = '', table = '', detail = '' } = causeOf(error) ?? {}
  if (code !== '23001' && !(code === '23503' && !detail.includes('not present'))) return undefined
  return { table, column: columnOf(constraint) }
}

/** A value that PostgreSQL cannot hold, whatever our schemas thought of it: its code's first letters tell the kind. */
export const unfitData = (error: unknown): FieldProblem | undefined => {
  const code = causeOf(error)?.code ?? ''
  if (/^(22007|22008|22009)$/.test(code)) return { path: '', message: 'Data ou hora fora do calendário.' }
  if (code === '22003') return { path: '', message: 'Número fora do limite.' }
  if (code === '54000') return { path: '', message: 'O texto é longo demais.' }
  return code.startsWith('22') ? { path: '', message: 'O texto contém caracteres inválidos.' } : undefined
}

const causeOf = (error: unknown) => {
  const cause = error instanceof Error && error.cause ? error.cause : error
  return cause instanceof pg.DatabaseError ? cause : undefined
}

/** The column of a reference, from the constraint's name: `tickets_tenant_id_queue_id_queues_…_fk`. */
const columnOf = (constraint: string) => /_tenant_id_(\w+?_id)_/.exec(constraint)?.[1] ?? ''

const camel = (name: string) => name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())
