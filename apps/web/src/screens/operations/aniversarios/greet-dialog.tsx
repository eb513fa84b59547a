import { channels } from '@balcao/contract/channels/index.ts'
import type { Greeter } from '@balcao/contract/operations/birthdays.ts'
import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { IconSend2 } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { VariableTextarea } from '../../../features/contacts/variables/variable-textarea.tsx'
import { TemplateField } from '../../../features/conversations/templates/template-field.tsx'
import { birthdaysKey } from '../../../features/operations/birthdays/live.ts'
import { reasonOf } from '../../../kit/api-error.ts'
import { notify } from '../../../ui/notify.ts'
import { greeters, sendBirthdays } from './birthdays-api.ts'
import classes from './greet-dialog.module.css'

type Props = {
  /** None: all of today's. */
  contactIds: readonly string[]
  count: number
  onClose: () => void
  onSent: () => void
}

/** Congratulates by hand; who was congratulated already is left out by the server. */
export const GreetDialog = (props: Props) => {
  const list = useQuery({ ...greeters, staleTime: 0 })
  const first = list.data?.find(({ isOn }) => isOn) ?? list.data?.[0]
  return (
    <Modal
      opened
      onClose={props.onClose}
      title="Dar os parabéns"
      size={520}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      {list.data && !first && <Text>Conecte um canal para enviar mensagens.</Text>}
      {list.data && first && <Form {...props} list={list.data} first={first} />}
    </Modal>
  )
}

const Form = ({ contactIds, count, onClose, onSent, list, first }: Props & { list: Greeter[]; first: Greeter }) => {
  const cache = useQueryClient()
  const [chosen, setChosen] = useState(first)
  const [message, setMessage] = useState(first.message)
  const [template, setTemplate] = useState(first.template)
  const send = useMutation({
    mutationFn: () =>
      sendBirthdays({ whatsappId: chosen.id, message: message.trim(), template, contactIds: [...contactIds] }),
    onSuccess: ({ sent, skipped }) => {
      if (sent) notify.success(sent === 1 ? '1 mensagem na fila de envio.' : `${sent} mensagens na fila de envio.`)
      else if (!skipped.length) notify.success('Todos já receberam os parabéns: nada foi enviado.')
      void cache.invalidateQueries({ queryKey: birthdaysKey })
      onSent()
      if (!skipped.length) onClose()
    },
  })
  const choose = (id: string | null) => {
    const next = list.find((one) => one.id === id)
    if (!next) return
    setChosen(next)
    setMessage(next.message)
    setTemplate(next.template)
  }
  const skipped = send.data?.skipped ?? []
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send.mutate()
      }}
    >
      <Stack gap="sm">
        <Select
          label="Canal"
          required
          data-autofocus
          allowDeselect={false}
          data={list.map(({ id, name, kind }) => ({ value: id, label: `${name} (${channels[kind].label})` }))}
          value={chosen.id}
          onChange={choose}
        />
        <VariableTextarea label="Mensagem" required value={message} onChange={setMessage} minRows={3} />
        {chosen.media && (
          <Text size="sm" c="dimmed">
            Vai com a imagem {chosen.media.name}.
          </Text>
        )}
        {chosen.needsTemplate && (
          <TemplateField
            key={chosen.id}
            connectionId={chosen.id}
            without="Sem modelo, ficam sem parabéns."
            picture={{
              isThere: chosen.media !== null,
              missing: 'Este modelo leva uma imagem: escolha a imagem dos parabéns deste canal.',
            }}
            value={template}
            onChange={setTemplate}
          />
        )}
        <Text size="xs" c="dimmed">
          Cada contato recebe uma vez por ano. Quem não pode ser alcançado neste canal fica para outro.
        </Text>
        {send.isError && (
          <Text size="sm" c="red" role="alert">
            {reasonOf(send.error)}
          </Text>
        )}
        {skipped.length > 0 && (
          <ul role="status" aria-label="Quem ficou de fora" className={classes.skipped}>
            {skipped.map(({ contact, reason }) => (
              <li key={contact.id}>
                <strong>{contact.name}</strong>: {reason}
              </li>
            ))}
          </ul>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {send.isSuccess ? 'Fechar' : 'Cancelar'}
          </Button>
          <Button
            type="submit"
            leftSection={<IconSend2 size={17} aria-hidden />}
            loading={send.isPending}
            disabled={!message.trim()}
          >
            {count === 1 ? 'Parabenizar 1 pessoa' : `Parabenizar ${count} pessoas`}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
