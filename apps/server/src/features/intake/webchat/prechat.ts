import type { PreChatField } from '@balcao/contract/channels/webchat-look.ts'
import { no, valueProblem, yes } from '@balcao/contract/contacts/contact-fields.ts'
import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { isToldBy } from '@balcao/contract/intake/webchat.ts'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { type Tx, withTenant } from '../../../db/database.ts'
import { contactFields } from '../../../db/schema/contacts/contacts.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import { cleanText } from '../../../kit/text.ts'
import { identitiesOf, recordConsent } from '../../contacts/consent/consent.ts'
import type { Caller } from './sessions.ts'
import { fillContact } from './visitor-contact.ts'

type Answers = Record<string, string>

/** What a visitor answered before the conversation: their own name and e-mail, further answers, and what they allow. */
export const takeAnswers = (caller: Caller, answers: Answers): Promise<string> =>
  withTenant(caller.tenantId, async (tx) => {
    const { profile } = caller
    const fields = caller.webchat.config.preChat.filter(
      (field) => !isToldBy({ isVerified: false, profile }, field) || answerIn(answers, field),
    )
    await requireAnswers(tx, fields, answers)
    const given = fields.flatMap((field) => {
      const answer = answerIn(answers, field)
      return answer ? [{ field, answer }] : []
    })
    const into = (target: PreChatField['target']) => given.find(({ field }) => field.target === target)?.answer
    const contactId = await fillContact(
      tx,
      caller,
      {
        name: into('name') ?? profile.name,
        email: into('email') ?? profile.email,
        phone: into('phone') ?? profile.phone,
      },
      given.flatMap(({ field, answer }) => (field.target === 'extra' ? [{ name: field.key, value: answer }] : [])),
    )
    await allow(tx, contactId, given)
    return contactId
  })

type Given = { field: PreChatField; answer: string }[]
/** A box they ticked is written down with the words beside it; one left empty says nothing. */
const allow = async (tx: Tx, contactId: string, given: Given) => {
  const allowed = given.filter(({ field, answer }) => field.type === 'consent' && answer === yes)
  for (const { field } of allowed) {
    if (field.purpose === 'none') continue
    const [contact] = await tx.rows<{ name: string }>(nameOf, [tx.tenantId, contactId])
    await recordConsent(tx, {
      identities: await tx.rows<Identity>(identitiesOf, [tx.tenantId, contactId]),
      channel: 'webchat',
      purposes: [field.purpose],
      isGiven: true,
      source: 'form',
      proof: field.label,
      author: { kind: 'contact', id: contactId, name: contact?.name ?? '' },
    })
  }
}
const nameOf = { name: 'webchat_contact_name', text: 'select name from contacts where tenant_id = $1 and id = $2' }

/** As it is kept: a ticked box is a yes, as in the company's own fields. */
const answerIn = (answers: Answers, { key, type }: PreChatField): string => {
  const answer = cleanText(answers[key] ?? '').trim()
  return type === 'consent' ? (answer === 'true' ? yes : no) : answer
}

const requireAnswers = async (tx: Tx, fields: PreChatField[], answers: Answers) => {
  const defined = fields.length
    ? await tx.db.select().from(contactFields).where(eq(contactFields.tenantId, tx.tenantId))
    : []
  const problems = fields.flatMap((field) => {
    const answer = answerIn(answers, field)
    const own = field.target === 'extra' ? defined.find(({ key }) => key === field.key) : undefined
    const message = answerProblem(field, answer) ?? (own && valueProblem(own, answer))
    return message ? [{ path: `answers.${field.key}`, message }] : []
  })
  if (problems.length) throw fieldErrors(...problems)
}

const answerProblem = ({ type, required, options }: PreChatField, answer: string): string | undefined => {
  if (type === 'consent') return required && answer !== yes ? 'Marque para continuar.' : undefined
  if (!answer) return required ? 'Preencha este campo.' : undefined
  if (type === 'email') return z.email().max(254).safeParse(answer).success ? undefined : 'Informe um e-mail válido.'
  if (type === 'select') return options.includes(answer) ? undefined : 'Escolha uma das opções.'
  const digits = answer.replace(/\D/g, '').length
  return type === 'phone' && (digits < 10 || digits > 15) ? 'Informe o telefone com DDD.' : undefined
}
