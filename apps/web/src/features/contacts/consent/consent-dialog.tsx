import { type ChannelKind, channelKinds, channels } from '@balcao/contract/channels/index.ts'
import { consentBody, purposeLabels } from '@balcao/contract/contacts/consent.ts'
import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import { Button, Group, Modal, Radio, Select, Stack, Text, Textarea } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { reasonOf } from '../../../kit/api-error.ts'
import { notify } from '../../../ui/notify.ts'
import { unreachableBecause } from '../contacts/reach.ts'
import { consentsQuery, recordConsent } from './api.ts'

const purposes = ['marketing', 'research'] as const
type Values = {
  channel: ChannelKind
  purpose: (typeof purposes)[number]
  isGiven: boolean
  proof: string
}

/** What the contact told somebody of the team, and what shows it. The ledger only grows: a later note takes its place. */
export const ConsentDialog = ({ contact, onClose }: { contact: Contact; onClose: () => void }) => {
  const cache = useQueryClient()
  const [busy, setBusy] = useState(false)
  const reaching = channelKinds.find((kind) => unreachableBecause(contact, kind) === null)
  const form = useForm<Values>({
    initialValues: { channel: reaching ?? 'waba', purpose: 'marketing', isGiven: false, proof: '' },
    validate: schemaResolver(consentBody, { sync: true }),
  })
  const handleSubmit = async (values: Values) => {
    setBusy(true)
    try {
      cache.setQueryData(consentsQuery(contact.id).queryKey, await recordConsent(contact.id, values))
      notify.success('Pedido anotado.')
      onClose()
    } catch (error) {
      notify.error(reasonOf(error))
      setBusy(false)
    }
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>Anotar pedido do contato</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.stopPropagation() // it may be opened from inside another form
          form.onSubmit((values) => void handleSubmit(values))(event)
        }}
      >
        <Stack gap="sm">
          <Radio.Group
            label="O contato"
            value={form.values.isGiven ? 'yes' : 'no'}
            onChange={(value) => form.setFieldValue('isGiven', value === 'yes')}
          >
            <Group gap="md" mt={4}>
              <Radio value="no" label="não quer receber" />
              <Radio value="yes" label="aceita receber" />
            </Group>
          </Radio.Group>
          <Select
            label="O quê"
            data={purposes.map((value) => ({ value, label: purposeLabels[value] }))}
            allowDeselect={false}
            {...form.getInputProps('purpose')}
          />
          <Select
            label="Por qual canal"
            data={channelKinds.map((value) => ({ value, label: channels[value].label }))}
            allowDeselect={false}
            {...form.getInputProps('channel')}
          />
          <Textarea
            label="Como o contato pediu"
            description="Fica guardado com seu nome e a hora, e não pode ser mudado."
            placeholder="Por telefone, no balcão, no formulário do site…"
            required
            autosize
            minRows={2}
            maxLength={500}
            data-autofocus
            {...form.getInputProps('proof')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancelar
            </Button>
            <Button type="submit" loading={busy}>
              Anotar
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
