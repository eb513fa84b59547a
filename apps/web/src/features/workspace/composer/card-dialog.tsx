import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import type { MessageSend } from '@balcao/contract/conversations/messages.ts'
import { Modal, Text } from '@mantine/core'
import { ContactPicker } from '../../contacts/contacts/contact-picker.tsx'

type Card = NonNullable<MessageSend['contact']>
type Props = { onClose: () => void; onSend: (card: Card) => void }

/** Sends one of our contacts as a card. */
export const CardDialog = ({ onClose, onSend }: Props) => (
  <Modal
    opened
    onClose={onClose}
    title={<Text fw={600}>Enviar contato</Text>}
    closeButtonProps={{ 'aria-label': 'Fechar' }}
  >
    <ContactPicker height={360} onPick={(contact) => onSend(cardOf(contact))} />
  </Modal>
)

const cardOf = ({ name, number, email }: Contact): Card => ({
  name: name.slice(0, 120),
  phones: number ? [`+${number}`] : [],
  emails: email ? [email] : [],
})
