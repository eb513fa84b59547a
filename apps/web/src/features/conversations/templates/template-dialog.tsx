import type { MessageTemplate } from '@balcao/contract/channels/templates.ts'
import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { ActionIcon, Group, Modal, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconArrowLeft } from '@tabler/icons-react'
import { useState } from 'react'
import classes from './template-dialog.module.css'
import { TemplateForm } from './template-form.tsx'
import { TemplateList } from './template-list.tsx'

type Props = {
  ticket: Ticket
  contact: Contact | undefined
  /** The newest message on the screen: what the person has seen. */
  lastSeq: number
  isWindowOver: boolean
  onClose: () => void
}

/** Choose an approved template, fill it in, see it as the customer will, and send it. */
export const TemplateDialog = ({ ticket, contact, lastSeq, isWindowOver, onClose }: Props) => {
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false
  const [chosen, setChosen] = useState<MessageTemplate | null>(null)
  const showsList = !isPhone || !chosen
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      size={980}
      fullScreen={isPhone}
      padding={0}
      classNames={{ body: classes.body, content: classes.content, header: classes.top }}
      title={
        <Group gap={6} wrap="nowrap">
          {!showsList && (
            <ActionIcon aria-label="Voltar aos modelos" onClick={() => setChosen(null)}>
              <IconArrowLeft size={19} />
            </ActionIcon>
          )}
          <Text fw={600}>Enviar modelo</Text>
        </Group>
      }
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <p className={classes.why}>
        {isWindowOver
          ? 'A janela de 24 horas fechou: o WhatsApp só entrega modelos aprovados. Quando o cliente responder, você volta a escrever livremente.'
          : 'A janela de 24 horas está aberta: você também pode responder com texto livre.'}
      </p>
      <div className={classes.panes}>
        {showsList && (
          <TemplateList connectionId={ticket.whatsappId} chosen={chosen} onChoose={setChosen} isFirst={!isPhone} />
        )}
        {chosen ? (
          <TemplateForm
            key={chosen.id}
            template={chosen}
            ticket={ticket}
            contact={contact}
            lastSeq={lastSeq}
            onDone={onClose}
          />
        ) : (
          !isPhone && <p className={classes.nothing}>Escolha um modelo para ver como o cliente vai receber.</p>
        )}
      </div>
    </Modal>
  )
}
