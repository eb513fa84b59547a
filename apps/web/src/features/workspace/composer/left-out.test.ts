import { abilitiesOf as ofKind } from '@balcao/contract/channels/index.ts'
import { expect, test } from 'vitest'
import { abilitiesOf } from '../../conversations/messages/abilities.ts'
import { leftOut } from './left-out.ts'

const on = (kind: 'sms' | 'email' | 'instagram') =>
  abilitiesOf({ label: { sms: 'SMS', email: 'E-mail', instagram: 'Instagram' }[kind], ...ofKind(kind, {}) })
const nothing = { text: 'Olá', head: { subject: '', cc: [], bcc: [] }, files: 0, isReply: false }
const mail = {
  text: 'Segue a *proposta*.',
  head: { subject: 'Proposta', cc: ['bia@example.com'], bcc: [] },
  files: 3,
  isReply: true,
}

test.each([
  ['nothing is said where all of it goes', nothing, 'sms', null],
  ['a mail takes all of it', { ...mail, files: 0 }, 'email', null],
  [
    'an SMS takes the words alone',
    mail,
    'sms',
    'Assunto, cópias, formatação, citação e 3 arquivos não vão por SMS. O que não vai fica guardado no rascunho.',
  ],
  [
    'one thing is one',
    { ...nothing, files: 1 },
    'instagram',
    '1 arquivo não vai por Instagram. O que não vai fica guardado no rascunho.',
  ],
  ['formatting is not kept', { ...nothing, text: '*Olá*' }, 'sms', 'Formatação não vai por SMS.'],
  [
    'copies are several',
    { ...nothing, head: { ...nothing.head, cc: ['bia@example.com'] } },
    'instagram',
    'Cópias não vão por Instagram. O que não vai fica guardado no rascunho.',
  ],
] as const)('%s', (_, begun, kind, said) =>
  expect(leftOut({ ...begun, head: { ...begun.head, cc: [...begun.head.cc], bcc: [] } }, on(kind))).toBe(said),
)
