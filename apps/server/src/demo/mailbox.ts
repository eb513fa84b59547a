import { abilitiesOf } from '@balcao/contract/channels/index.ts'
import type { MailSimulator } from '@balcao/simulators/mail.ts'
import { v7 } from 'uuid'
import type { Tx } from '../db/database.ts'
import { connections } from '../db/schema/channels/connections.ts'
import { channelConfig } from '../features/channels/connections/context.ts'

export const demoMail = { address: 'contato@aurora.local', password: 'demo-senha-da-caixa' }

type Shared = Omit<typeof connections.$inferInsert, 'id' | 'kind' | 'name' | 'config' | 'abilities'>
type Ports = { imapPort: number; smtpPort: number }
/** The shop's mailbox, signed by the channel for whoever has no signature of their own. */
export const seedMailbox = async (tx: Tx, shared: Shared, { imapPort, smtpPort }: Ports) => {
  const id = v7()
  const config = {
    ...demoMail,
    fromName: 'Loja Aurora',
    login: 'password',
    imapHost: '127.0.0.1',
    imapPort,
    imapSecurity: 'none',
    smtpHost: '127.0.0.1',
    smtpPort,
    smtpSecurity: 'none',
  }
  await tx.db.insert(connections).values({
    ...shared,
    id,
    kind: 'email',
    name: 'E-mail da loja',
    usesSession: true,
    externalId: demoMail.address,
    options: { mailSignature: '*{{atendente}}*\n{{fila}} · {{empresa}}\nloja-aurora.com.br' },
    abilities: abilitiesOf('email', config),
    config: channelConfig.email.seal(id, config),
  })
}

const invitation = [
  'BEGIN:VCALENDAR',
  'METHOD:REQUEST',
  'BEGIN:VEVENT',
  'SUMMARY:Visita ao showroom',
  'LOCATION:Rua Augusta\\, 1500, São Paulo',
  'DTSTART:20261203T173000Z',
  'DTEND:20261203T183000Z',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n')

/** Three customers write once the mailbox is read: what lay there before is not brought. */
export const writeLetters = async (mail: MailSimulator) => {
  while (!mail.requests.some(({ path }) => path.startsWith('FETCH')))
    await new Promise((resolve) => setTimeout(resolve, 200))
  const customer = (address: string, name: string) => mail.customer({ address, name })
  await customer('helena.prado@escola.example', 'Helena Prado').write({
    subject: 'Orçamento de 40 uniformes',
    text: 'Bom dia! Segue a lista. Conseguem entregar até o dia 10?',
    html: '<p>Bom dia!</p><p>Segue a lista. Conseguem entregar <b>até o dia 10</b>?</p><table border="1" cellpadding="6"><tr><th>Peça</th><th>Quantidade</th></tr><tr><td>Camiseta</td><td>40</td></tr><tr><td>Agasalho</td><td>40</td></tr></table><div class="gmail_quote">Em 20 de nov., Loja Aurora escreveu:<blockquote>Claro, é só mandar a lista.</blockquote></div>',
    cc: ['compras@escola.example'],
  })
  await customer('rogerio@showroom.example', 'Rogério Lima').write({
    subject: 'Visita na quinta',
    text: 'Olá! Mando o convite da visita. Confirmam?',
    files: [{ bytes: Buffer.from(invitation), mimeType: 'text/calendar', filename: 'convite.ics' }],
  })
  await customer('marta.nunes@example.com', 'Marta Nunes').write({
    subject: 'Re: Pedido 8841',
    text: 'Recebi, obrigada! Só a cor veio trocada.\n\nEm 21 de nov. de 2026, Loja Aurora escreveu:\n> Seu pedido saiu hoje.',
  })
}
