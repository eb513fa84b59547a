import {
  type DuplicatePair,
  type DuplicateReason,
  duplicateReasonLabels,
  duplicateReasons,
  keepRuleLabels,
  keepRules,
} from '@balcao/contract/contacts/duplicates.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { Button, Checkbox, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { reasonOf } from '../../../kit/api-error.ts'
import { plural } from '../../../kit/format.ts'
import { notify } from '../../../ui/notify.ts'
import { mergeMany } from './api.ts'

const hints: Record<(typeof keepRules)[number], string> = {
  older: 'Quem foi cadastrado primeiro recebe tudo do outro.',
  newer: 'Quem foi cadastrado por último recebe tudo do outro.',
  complete: 'Quem tem mais dados preenchidos recebe tudo do outro.',
}

type Props = {
  /** Those that were chosen; else whoever is alike for the reasons chosen here. */
  pairs?: readonly DuplicatePair[]
  /** What the list is narrowed to. */
  reasons: string[]
  onClose: () => void
  onAsked: (job: BulkJob) => void
}

/** Many made one by a rule: which of two stays. Each can be undone by itself, and all together. */
export const MergeManyDialog = ({ pairs, reasons: narrowed, onClose, onAsked }: Props) => {
  const [keep, setKeep] = useState<(typeof keepRules)[number]>('older')
  const [reasons, setReasons] = useState<string[]>(narrowed.length ? narrowed : sure)
  const [busy, setBusy] = useState(false)
  const handleMerge = async () => {
    setBusy(true)
    try {
      onAsked(await mergeMany(pairs ? { keep, pairs } : { keep, reasons }))
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
      title={<Text fw={600}>{pairs ? `Unir ${plural(pairs.length, 'par', 'pares')}` : 'Unir todos de uma vez'}</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void handleMerge()
        }}
      >
        <Stack gap="md">
          {!pairs && (
            <Checkbox.Group label="Quais sugestões" value={reasons} onChange={setReasons}>
              <Stack gap={8} mt={6}>
                {duplicateReasons.map((reason) => (
                  <Checkbox key={reason} value={reason} label={duplicateReasonLabels[reason]} />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
          <Radio.Group
            label="Qual contato fica"
            value={keep}
            onChange={(value) => setKeep(keepRules.find((rule) => rule === value) ?? 'older')}
          >
            <Stack gap={8} mt={6}>
              {keepRules.map((rule) => (
                <Radio key={rule} value={rule} label={keepRuleLabels[rule]} description={hints[rule]} />
              ))}
            </Stack>
          </Radio.Group>
          <Text size="sm" c="dimmed">
            O contato que fica mantém seus dados e completa o que falta com os do outro. Atendimentos, telefones e
            etiquetas vão junto. Por sete dias tudo pode ser desfeito de uma vez; cada união, a qualquer tempo, no
            cadastro do contato.
          </Text>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancelar
            </Button>
            <Button type="submit" loading={busy} disabled={!pairs && reasons.length === 0}>
              {pairs ? 'Unir' : 'Unir todos'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
/** What two people hardly share. */
const sure: DuplicateReason[] = ['provider', 'document', 'email', 'phone']
