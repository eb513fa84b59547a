import { AppError } from '../../../kit/errors.ts'
import { filled } from '../../conversations/actions/words.ts'
import { readVariables } from '../../conversations/messages/variable-context.ts'
import type { Catalogue } from '../../conversations/tickets/action-catalogue.ts'
import { queueMail } from './outbox.ts'

const livesMs = 3 * 86_400_000

export const email: Catalogue['email'] = {
  run: async ({ userId, subject, body }, here) => {
    const { tx, by, ticket, directory } = here
    const context = await readVariables(tx, { name: by.author.name, email: '' }, directory, ticket.id)
    const person = userId ? directory.people.get(userId) : undefined
    const to = userId ? person?.email : context.email
    if (!to)
      throw new AppError('ERR_INVALID_TRANSITION', {
        message: userId ? 'Esta pessoa não tem e-mail.' : 'O contato não tem e-mail no cadastro.',
      })
    await queueMail(tx, {
      kind: 'action',
      to,
      userId,
      livesMs,
      subject: (await filled(here, subject)).replace(/\s+/g, ' '),
      greeting: '',
      paragraphs: (await filled(here, body)).split(/\n{2,}/),
    })
  },
  sentence: ({ userId, subject }, { people }) =>
    `enviou um e-mail ${userId ? `para ${people.get(userId)?.name ?? 'outra pessoa'}` : 'ao cliente'}: ${subject}`,
}
