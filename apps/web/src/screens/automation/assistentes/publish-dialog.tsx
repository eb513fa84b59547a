import type { Assistant } from '@balcao/contract/automation/assistants/assistants.ts'
import { Button, Group, Modal, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { evaluateAndPublish, publishAssistant } from '../../../features/automation/assistants/api.ts'
import { receiveJob } from '../../../features/conversations/tickets/bulk-api.ts'
import { isApiError, messageOf } from '../../../kit/api-error.ts'
import { notify } from '../../../ui/notify.ts'

type Props = {
  assistant: Assistant
  /** Why its cases did not let it pass just now: it is published all the same by whoever signs for it. */
  refused: string | null
  /** What changed, in words; it outlives the dialog, for whoever signs later. */
  note: string
  onNote: (note: string) => void
  onClose: () => void
  onPublished: (next: Assistant) => void
}
/** The draft answers customers from now on. Where its cases do not pass, only with a reason that is kept with the version. */
export const PublishDialog = ({ assistant, refused, note, onNote, onClose, onPublished }: Props) => {
  const cache = useQueryClient()
  const [signedReason, setReason] = useState('')
  const { id, version } = assistant
  const publish = useMutation({
    mutationFn: async () => {
      if (refused === null) {
        receiveJob(cache, await evaluateAndPublish(id, { version, note }))
        return onClose()
      }
      const next = await publishAssistant(id, { version, note, signedReason })
      notify.success(`Versão ${next.published?.number ?? ''} publicada.`)
      onPublished(next)
      void cache.invalidateQueries({ queryKey: ['assistant-versions', id] })
    },
  })
  const problem = isApiError(publish.error) && publish.error.problems[0]?.message
  return (
    <Modal opened onClose={onClose} title="Publicar o assistente" closeButtonProps={{ 'aria-label': 'Fechar' }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          publish.mutate()
        }}
      >
        <Text size="sm" mb="sm">
          {refused ??
            'Ele passa a responder os clientes como está no rascunho. Antes, os casos de avaliação são conferidos: você pode sair desta tela enquanto isso.'}
        </Text>
        <TextInput
          data-autofocus={refused === null || undefined}
          label="O que mudou"
          description="Opcional; fica na lista de versões."
          maxLength={200}
          value={note}
          onChange={(event) => onNote(event.currentTarget.value)}
        />
        {publish.isError && (
          <Text size="sm" c="red" role="alert" mt="sm">
            {problem || messageOf(publish.error)}
          </Text>
        )}
        {refused !== null && (
          <Textarea
            data-autofocus
            mt="sm"
            label="Publicar mesmo assim, porque"
            description="Fica registrado com o seu nome na versão."
            autosize
            minRows={2}
            maxLength={500}
            value={signedReason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        )}
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" loading={publish.isPending} disabled={refused !== null && !signedReason.trim()}>
            {refused === null ? 'Publicar' : 'Assinar e publicar'}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
